// Loaded with LD_PRELOAD: a disk under LOSING_DISK_ROOT that a test may fail. It sees the calls to the operating system,
// whoever makes them. It keeps to the side what a process syncs, in the form of kept.ts, so that a test can cut its power.
// And it fails writes by the orders in the file FAILING_DISK (failing-disk.ts), or kills the process there.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

typedef int (*sync_fn)(int);

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

// The orders, in the layout of failing-disk.ts.
struct orders {
  int64_t from, times, code, calls, hits;
  char named[88];
};
static struct orders *orders;

__attribute__((constructor)) static void read_orders(void) {
  const char *file = getenv("FAILING_DISK");
  if (file == NULL) return;
  int opened = NEXT(open64)(file, O_RDWR);
  void *mapped = mmap(NULL, sizeof *orders, PROT_READ | PROT_WRITE, MAP_SHARED, opened, 0);
  if (mapped != MAP_FAILED) orders = mapped;
}

static int is_within(const char *file) {
  const char *root = getenv("LOSING_DISK_ROOT");
  size_t length = root == NULL ? 0 : strlen(root);
  return root != NULL && strncmp(file, root, length) == 0 && (file[length] == '\0' || file[length] == '/');
}

static int path_of(int descriptor, char *file) {
  char link_path[64];
  snprintf(link_path, sizeof link_path, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link_path, file, PATH_MAX - 1);
  if (length < 0) return 0;
  file[length] = '\0';
  return 1;
}

// Counts a call that changes the file, and sets errno if the orders let it fail. A lack of descriptors fails only calls
// that open a file, also for reading.
static int fails(const char *file, int opens) {
  if (orders == NULL || orders->from == 0 || (orders->code == EMFILE ? !opens : opens == 2)) return 0;
  if (!is_within(file) || strstr(file, orders->named) == NULL) return 0;
  int64_t call = __atomic_add_fetch(&orders->calls, 1, __ATOMIC_SEQ_CST);
  if (call < orders->from || call - orders->from >= orders->times) return 0;
  __atomic_add_fetch(&orders->hits, 1, __ATOMIC_SEQ_CST);
  errno = orders->code;
  return 1;
}

static int fails_at(int descriptor) {
  char file[PATH_MAX];
  return orders != NULL && orders->from != 0 && path_of(descriptor, file) && fails(file, 0);
}

// Code 0 stands for kill -9.
static int refuse(void) {
  if (orders->code == 0) kill(getpid(), SIGKILL);
  errno = orders->code;
  return -1;
}

// A full disk, or a kill, leaves half of what was written.
static ssize_t write_half(ssize_t (*write_part)(int, const void *, size_t), int to, const void *from, size_t length) {
  if (orders->code == 0 || orders->code == ENOSPC || orders->code == EDQUOT) {
    ssize_t written = length > 1 ? write_part(to, from, length / 2) : 0;
    if (orders->code != 0 && written > 0) return written;
  }
  return refuse();
}

ssize_t write(int to, const void *from, size_t length) {
  return fails_at(to) ? write_half(NEXT(write), to, from, length) : NEXT(write)(to, from, length);
}

ssize_t pwrite64(int to, const void *from, size_t length, off64_t at) {
  return fails_at(to) ? refuse() : NEXT(pwrite64)(to, from, length, at);
}

ssize_t writev(int to, const struct iovec *parts, int count) {
  return fails_at(to) ? refuse() : NEXT(writev)(to, parts, count);
}

// LevelDB writes through a stream.
int fflush_unlocked(FILE *stream) {
  if (!fails_at(fileno(stream))) return NEXT(fflush_unlocked)(stream);
  struct stat before, after;
  fstat(fileno(stream), &before);
  NEXT(fflush_unlocked)(stream);
  fstat(fileno(stream), &after);
  off_t cut = (after.st_size - before.st_size + 1) / 2;
  if (cut > 0 && NEXT(ftruncate64)(fileno(stream), after.st_size - cut) == 0) lseek(fileno(stream), -cut, SEEK_CUR);
  return refuse();
}

FILE *fopen64(const char *file, const char *mode) {
  if (!fails(file, mode[0] == 'r' ? 2 : 1)) return NEXT(fopen64)(file, mode);
  refuse();
  return NULL;
}

#define OPEN(name)                                                                \
  int name(const char *file, int flags, ...) {                                    \
    va_list rest;                                                                 \
    va_start(rest, flags);                                                        \
    int mode = va_arg(rest, int);                                                 \
    va_end(rest);                                                                 \
    if (fails(file, flags & (O_CREAT | O_TRUNC) ? 1 : 2)) return refuse();        \
    return NEXT(name)(file, flags, mode);                                         \
  }
OPEN(open)
OPEN(open64)

int ftruncate64(int of, off64_t length) { return fails_at(of) ? refuse() : NEXT(ftruncate64)(of, length); }
int mkdir(const char *file, mode_t mode) { return fails(file, 0) ? refuse() : NEXT(mkdir)(file, mode); }
int link(const char *from, const char *to) { return fails(to, 0) ? refuse() : NEXT(link)(from, to); }

// Holds the latest files that lost their name, so that no later file gets their inode: a power cut may bring them back.
static void hold(const char *file) {
  static int held[256];
  static unsigned next;
  if (!is_within(file)) return;
  int opened = NEXT(open64)(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (opened < 0) return;
  int *place = &held[__atomic_fetch_add(&next, 1, __ATOMIC_SEQ_CST) % 256];
  if (*place > 0) close(*place);
  *place = opened;
}

static int dropping(const char *file, int (*drop)(const char *)) {
  if (fails(file, 0)) return refuse();
  hold(file);
  return drop(file);
}

int unlink(const char *file) { return dropping(file, NEXT(unlink)); }
int remove(const char *file) { return dropping(file, NEXT(remove)); }

int rename(const char *from, const char *to) {
  if (fails(to, 0)) return refuse();
  hold(to);
  return NEXT(rename)(from, to);
}

static void die(const char *what) {
  perror(what);
  abort();
}

// A line for each entry: its inode, d or f, and its name.
static void write_names(const char *folder, FILE *to) {
  DIR *entries = opendir(folder);
  if (entries == NULL) die("losing-disk: opendir");
  for (struct dirent *entry; (entry = readdir(entries)) != NULL;) {
    struct stat found;
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    if (fstatat(dirfd(entries), entry->d_name, &found, 0) != 0) continue;
    fprintf(to, "%llu %c %s\n", (unsigned long long)found.st_ino, S_ISDIR(found.st_mode) ? 'd' : 'f', entry->d_name);
  }
  closedir(entries);
}

static void write_bytes(const char *file, FILE *to) {
  FILE *from = fopen(file, "r");
  if (from == NULL) die("losing-disk: fopen");
  char block[65536];
  for (size_t length; (length = fread(block, 1, sizeof block, from)) > 0;) fwrite(block, 1, length, to);
  fclose(from);
}

// Copies before the sync, because the sync makes that content safe. The copy counts when the sync has succeeded.
static int synced(int descriptor, const char *name) {
  sync_fn next = (sync_fn)dlsym(RTLD_NEXT, name);
  if (fails_at(descriptor)) return refuse();
  const char *disk = getenv("LOSING_DISK");
  char link_path[64], file[PATH_MAX], kept[PATH_MAX], fresh[PATH_MAX + 8];
  snprintf(link_path, sizeof link_path, "/proc/self/fd/%d", descriptor);
  struct stat found;
  if (disk == NULL || !path_of(descriptor, file) || !is_within(file) || fstat(descriptor, &found) != 0) {
    return next(descriptor);
  }
  pthread_mutex_lock(&one_at_a_time);
  snprintf(kept, sizeof kept, "%s/%llu", disk, (unsigned long long)found.st_ino);
  snprintf(fresh, sizeof fresh, "%s.new", kept);
  FILE *to = fopen(fresh, "w");
  if (to == NULL) die("losing-disk: fopen");
  if (S_ISDIR(found.st_mode)) {
    write_names(file, to);
  } else {
    write_bytes(link_path, to);
  }
  fclose(to);
  int result = next(descriptor);
  if (result == 0 && rename(fresh, kept) != 0) die("losing-disk: rename");
  pthread_mutex_unlock(&one_at_a_time);
  return result;
}

int fsync(int descriptor) { return synced(descriptor, "fsync"); }
int fdatasync(int descriptor) { return synced(descriptor, "fdatasync"); }
