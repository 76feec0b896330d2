/*
 * A preloaded library that sets the clock of one process apart from that of the machine. The file
 * WRONG_CLOCK has the difference in milliseconds, as an integer of 8 bytes. It is mapped, because
 * a JVM reads its clock too often for anything dearer. The monotonic clock stays right.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const int64_t right;
static const volatile int64_t *ahead = &right;
static int (*real_clock)(clockid_t, struct timespec *);

__attribute__((constructor)) static void begin(void) {
  const char *name = getenv("WRONG_CLOCK");
  int file = name == NULL ? -1 : open(name, O_RDONLY | O_CLOEXEC);
  if (file >= 0) {
    void *mapped = mmap(NULL, sizeof(int64_t), PROT_READ, MAP_SHARED, file, 0);
    if (mapped != MAP_FAILED) {
      ahead = mapped;
    }
    close(file);
  }
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  if (real_clock == NULL) {
    real_clock = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  }
  int result = real_clock(clock, now);
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
    int64_t nanos = now->tv_nsec + *ahead % 1000 * 1000000;
    now->tv_sec += *ahead / 1000 + (nanos < 0 ? -1 : nanos / 1000000000);
    now->tv_nsec = (nanos + 1000000000) % 1000000000;
  }
  return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  (void)zone;
  struct timespec precise;
  int result = clock_gettime(CLOCK_REALTIME, &precise);
  now->tv_sec = precise.tv_sec;
  now->tv_usec = precise.tv_nsec / 1000;
  return result;
}

time_t time(time_t *now) {
  struct timespec precise;
  clock_gettime(CLOCK_REALTIME, &precise);
  if (now != NULL) {
    *now = precise.tv_sec;
  }
  return precise.tv_sec;
}
