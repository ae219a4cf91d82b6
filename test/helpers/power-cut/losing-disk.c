// Loaded with LD_PRELOAD: keeps to the side what a process syncs under LOSING_DISK_ROOT, in the form of kept.ts, so
// that a test can cut its power. It sees the calls to the operating system, whoever makes them.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef int (*sync_fn)(int);

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

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
  const char *root = getenv("LOSING_DISK_ROOT");
  const char *disk = getenv("LOSING_DISK");
  char link_path[64], file[PATH_MAX], kept[PATH_MAX], fresh[PATH_MAX + 8], pin[PATH_MAX + 8];
  snprintf(link_path, sizeof link_path, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link_path, file, sizeof file - 1);
  struct stat found;
  if (root == NULL || disk == NULL || length < 0 || fstat(descriptor, &found) != 0) return next(descriptor);
  file[length] = '\0';
  size_t root_length = strlen(root);
  if (strncmp(file, root, root_length) != 0 || (file[root_length] != '\0' && file[root_length] != '/')) {
    return next(descriptor);
  }
  pthread_mutex_lock(&one_at_a_time);
  snprintf(kept, sizeof kept, "%s/%llu", disk, (unsigned long long)found.st_ino);
  snprintf(fresh, sizeof fresh, "%s.new", kept);
  snprintf(pin, sizeof pin, "%s.pin", kept);
  FILE *to = fopen(fresh, "w");
  if (to == NULL) die("losing-disk: fopen");
  if (S_ISDIR(found.st_mode)) {
    write_names(file, to);
  } else {
    write_bytes(link_path, to);
    // Prevents that a later file gets this inode.
    linkat(AT_FDCWD, file, AT_FDCWD, pin, 0);
  }
  fclose(to);
  int result = next(descriptor);
  if (result == 0 && rename(fresh, kept) != 0) die("losing-disk: rename");
  pthread_mutex_unlock(&one_at_a_time);
  return result;
}

int fsync(int descriptor) { return synced(descriptor, "fsync"); }
int fdatasync(int descriptor) { return synced(descriptor, "fdatasync"); }
