/*
 * Preloaded into the writer of the power-cut test: notes which bytes of which file were synced.
 *
 * One line per event, appended to the file named by SYNCLOG in a single write:
 *   S <length> <path>      fsync or fdatasync returned, and the file was this long when it began
 *   R <old> TAB <new>      a rename
 * The line is written after the call succeeded and before it returns, so whatever was acknowledged
 * afterwards has its line.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void note(const char *line, int length) {
  const char *path = getenv("SYNCLOG");
  if (path == NULL || length <= 0) {
    return;
  }
  int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (fd < 0 || write(fd, line, length) != length) {
    abort();
  }
  close(fd);
}

static int synced(int fd, const char *name) {
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  struct stat before;
  int known = fstat(fd, &before) == 0 && S_ISREG(before.st_mode);
  int result = real(fd);
  if (result == 0 && known) {
    char link[64];
    char path[PATH_MAX];
    char line[PATH_MAX + 64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length > 0) {
      path[length] = 0;
      note(line, snprintf(line, sizeof line, "S %lld %s\n", (long long)before.st_size, path));
    }
  }
  return result;
}

int fsync(int fd) { return synced(fd, "fsync"); }

int fdatasync(int fd) { return synced(fd, "fdatasync"); }

int rename(const char *from, const char *to) {
  int (*real)(const char *, const char *) =
      (int (*)(const char *, const char *))dlsym(RTLD_NEXT, "rename");
  int result = real(from, to);
  if (result == 0) {
    char line[2 * PATH_MAX + 8];
    note(line, snprintf(line, sizeof line, "R %s\t%s\n", from, to));
  }
  return result;
}
