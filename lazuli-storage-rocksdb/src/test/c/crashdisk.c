/*
 * Preloaded into the workload of the crash tests. It records every change to the files below the
 * folder CRASHDISK_ROOT, with the bytes, in the order in which the changes took place, and it
 * injects faults.
 *
 * A record of the file CRASHDISK_TRACE, numbers in the machine's order:
 *   type (1 byte), inode (8), number (8), length of the first text (4), of the second (4), texts
 *
 *   C create  path           number 1 if an existing file was emptied
 *   W write   bytes          number = offset
 *   T truncate               number = new length
 *   S sync                   of a file or a folder
 *   R rename  from, to
 *   L link    from, to
 *   U unlink  path
 *   M mkdir   path
 *   A mark    text           what the workload wrote to the file CRASHDISK_CONTROL
 *
 * The control file also takes "fault KIND ERRNO AFTER TIMES" and "clear". KIND is r (read), w
 * (write), s (sync) or o (open for writing). ERRNO 0 makes a write short, ERRNO -N delays the call
 * by N ms. AFTER calls succeed first, then TIMES calls fail.
 *
 * One lock is held over each change and its record: the order in the trace is the order on the disk.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define FILES_MAX 65536
#define OTHER 0
#define DATA 1
#define CONTROL 2

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned char kinds[FILES_MAX];
static int trace = -1;
static char fault_kind;
static int fault_errno;
static long fault_after;
static long fault_times;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static ssize_t (*real_write)(int, const void *, size_t);

static int is_below_root(const char *path) {
  const char *root = getenv("CRASHDISK_ROOT");
  size_t length = root == NULL ? 0 : strlen(root);
  /* RocksDB's library is unpacked again by each start. */
  return length > 0 && strncmp(path, root, length) == 0 &&
         (path[length] == '/' || path[length] == 0) && strncmp(path + length, "/native", 7) != 0;
}

static int kind_of(const char *path) {
  const char *control = getenv("CRASHDISK_CONTROL");
  if (control != NULL && strcmp(path, control) == 0) {
    return CONTROL;
  }
  return is_below_root(path) ? DATA : OTHER;
}

static void put(const void *bytes, size_t length) {
  while (length > 0) {
    ssize_t written = real_write(trace, bytes, length);
    if (written < 0) {
      abort();
    }
    bytes = (const char *)bytes + written;
    length -= written;
  }
}

static void record(char type, uint64_t inode, uint64_t number, const void *first,
                   uint32_t first_length, const char *second) {
  if (real_write == NULL) {
    real_write = REAL(write);
  }
  if (trace < 0) {
    const char *path = getenv("CRASHDISK_TRACE");
    if (path == NULL) {
      return;
    }
    trace = REAL(open)(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (trace < 0) {
      abort();
    }
  }
  uint32_t second_length = second == NULL ? 0 : strlen(second);
  char head[25];
  head[0] = type;
  memcpy(head + 1, &inode, 8);
  memcpy(head + 9, &number, 8);
  memcpy(head + 17, &first_length, 4);
  memcpy(head + 21, &second_length, 4);
  put(head, sizeof head);
  put(first, first_length);
  put(second, second_length);
}

static void record_path(char type, const char *first, const char *second) {
  record(type, 0, 0, first, strlen(first), second);
}

static uint64_t inode_of(int fd) {
  struct stat found;
  return fstat(fd, &found) == 0 ? found.st_ino : 0;
}

static int kind(int fd) { return fd >= 0 && fd < FILES_MAX ? kinds[fd] : OTHER; }

/* Returns 1 if the call must fail, with errno set; 2 if a write must be short. */
static int fails(char what) {
  if (fault_kind != what || fault_times == 0) {
    return 0;
  }
  if (fault_after > 0) {
    fault_after--;
    return 0;
  }
  fault_times--;
  if (fault_errno < 0) {
    usleep(-fault_errno * 1000);
    return 0;
  }
  errno = fault_errno;
  return fault_errno == 0 ? 2 : 1;
}

static void control(const char *bytes, size_t length) {
  char text[256];
  size_t size = length < sizeof text - 1 ? length : sizeof text - 1;
  memcpy(text, bytes, size);
  text[size] = 0;
  if (sscanf(text, "fault %c %d %ld %ld", &fault_kind, &fault_errno, &fault_after, &fault_times) ==
      4) {
    return;
  }
  if (strncmp(text, "clear", 5) == 0) {
    fault_kind = 0;
    return;
  }
  record('A', 0, 0, bytes, length, NULL);
}

static int open_file(const char *name, const char *path, int flags, mode_t mode) {
  int (*real)(const char *, int, ...) = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, name);
  int kind = kind_of(path);
  if (kind == OTHER) {
    return real(path, flags, mode);
  }
  pthread_mutex_lock(&lock);
  struct stat before;
  int existed = stat(path, &before) == 0;
  int fd = -1;
  if (kind == CONTROL || (flags & O_ACCMODE) == O_RDONLY || !fails('o')) {
    fd = real(path, flags, mode);
  }
  if (fd >= 0 && fd < FILES_MAX) {
    kinds[fd] = kind;
    int emptied = existed && (flags & O_TRUNC) != 0;
    if (kind == DATA && (emptied || (!existed && (flags & O_CREAT) != 0))) {
      record('C', inode_of(fd), emptied, path, strlen(path), NULL);
    }
  }
  pthread_mutex_unlock(&lock);
  return fd;
}

static mode_t mode_of(int flags, va_list more) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, mode_t) : 0;
}

#define OPEN(name)                             \
  int name(const char *path, int flags, ...) { \
    va_list more;                              \
    va_start(more, flags);                     \
    mode_t mode = mode_of(flags, more);        \
    va_end(more);                              \
    return open_file(#name, path, flags, mode); \
  }
OPEN(open)
OPEN(open64)

int close(int fd) {
  if (fd >= 0 && fd < FILES_MAX) {
    kinds[fd] = OTHER;
  }
  return REAL(close)(fd);
}

static ssize_t write_at(int fd, const void *bytes, size_t length, off64_t offset) {
  return offset < 0 ? REAL(write)(fd, bytes, length) : REAL(pwrite64)(fd, bytes, length, offset);
}

static ssize_t written(int fd, const void *bytes, size_t length, off64_t offset) {
  if (kind(fd) == OTHER) {
    return write_at(fd, bytes, length, offset);
  }
  pthread_mutex_lock(&lock);
  ssize_t result;
  if (kind(fd) == CONTROL) {
    control(bytes, length);
    result = length;
  } else {
    int failure = fails('w');
    off64_t at = offset;
    if (at < 0) {
      int append = (fcntl(fd, F_GETFL) & O_APPEND) != 0;
      at = lseek64(fd, 0, append ? SEEK_END : SEEK_CUR);
    }
    size_t part = failure == 2 && length > 1 ? length / 2 : length;
    result = failure == 1 ? -1 : write_at(fd, bytes, part, offset);
    if (result > 0) {
      record('W', inode_of(fd), at, bytes, result, NULL);
    }
  }
  int error = errno;
  pthread_mutex_unlock(&lock);
  errno = error;
  return result;
}

ssize_t write(int fd, const void *bytes, size_t length) { return written(fd, bytes, length, -1); }

ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset) {
  return written(fd, bytes, length, offset);
}

ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t offset) {
  return written(fd, bytes, length, offset);
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
  if (kind(fd) == OTHER) {
    return REAL(writev)(fd, parts, count);
  }
  /* A short write: the caller writes the rest. */
  return count == 0 ? 0 : written(fd, parts[0].iov_base, parts[0].iov_len, -1);
}

static int read_fails(int fd) {
  if (kind(fd) != DATA || fault_kind != 'r') {
    return 0;
  }
  pthread_mutex_lock(&lock);
  int failure = fails('r');
  int error = errno;
  pthread_mutex_unlock(&lock);
  errno = error;
  return failure;
}

ssize_t read(int fd, void *bytes, size_t length) {
  return read_fails(fd) ? -1 : REAL(read)(fd, bytes, length);
}

ssize_t pread(int fd, void *bytes, size_t length, off_t offset) {
  return read_fails(fd) ? -1 : REAL(pread)(fd, bytes, length, offset);
}

ssize_t pread64(int fd, void *bytes, size_t length, off64_t offset) {
  return read_fails(fd) ? -1 : REAL(pread64)(fd, bytes, length, offset);
}

static int cut(int fd, off64_t length) {
  if (kind(fd) != DATA) {
    return REAL(ftruncate64)(fd, length);
  }
  pthread_mutex_lock(&lock);
  int result = REAL(ftruncate64)(fd, length);
  if (result == 0) {
    record('T', inode_of(fd), length, NULL, 0, NULL);
  }
  pthread_mutex_unlock(&lock);
  return result;
}

int ftruncate(int fd, off_t length) { return cut(fd, length); }

int ftruncate64(int fd, off64_t length) { return cut(fd, length); }

static int synced(int fd, const char *name) {
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  if (kind(fd) != DATA) {
    return real(fd);
  }
  pthread_mutex_lock(&lock);
  int result = fails('s') ? -1 : real(fd);
  if (result == 0) {
    record('S', inode_of(fd), 0, NULL, 0, NULL);
  }
  int error = errno;
  pthread_mutex_unlock(&lock);
  errno = error;
  return result;
}

int fsync(int fd) { return synced(fd, "fsync"); }

int fdatasync(int fd) { return synced(fd, "fdatasync"); }

#define CHANGE(type, call, first, second)  \
  if (kind_of(first) != DATA) {            \
    return call;                           \
  }                                        \
  pthread_mutex_lock(&lock);               \
  int result = call;                       \
  if (result == 0) {                       \
    record_path(type, first, second);      \
  }                                        \
  int error = errno;                       \
  pthread_mutex_unlock(&lock);             \
  errno = error;                           \
  return result;

int rename(const char *from, const char *to) { CHANGE('R', REAL(rename)(from, to), from, to) }

int link(const char *from, const char *to) { CHANGE('L', REAL(link)(from, to), from, to) }

int unlink(const char *path) { CHANGE('U', REAL(unlink)(path), path, NULL) }

int mkdir(const char *path, mode_t mode) {
  if (kind_of(path) != DATA) {
    return REAL(mkdir)(path, mode);
  }
  pthread_mutex_lock(&lock);
  int result = REAL(mkdir)(path, mode);
  int error = errno;
  if (result == 0) {
    struct stat made;
    stat(path, &made);
    record('M', made.st_ino, 0, path, strlen(path), NULL);
  }
  pthread_mutex_unlock(&lock);
  errno = error;
  return result;
}
