// Loaded before the C library (LD_PRELOAD), this writes down what a process does to the files below one folder: in the
// order in which it happened, with every byte. From that a test makes the disks that a power cut could have left (disk.ts).
// All threads and processes append to one journal, each record in one write; one that does not fit ends the process.
//
//   POWER_CUT_FOLDER   absolute, without symbolic links       POWER_CUT_JOURNAL   a file outside of it
//
// A change is written down before the call that made it returns: whoever acts upon it comes after it in the journal. A sync
// is written down twice, for it holds for what was there when it began, and only once it has ended. What changes a file in
// another way is not seen (`fwrite`, `sendfile`, a mapping): tests compare the journal's end with the files that are there.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

// What the C library does by this name; and a second name for it, of a system whose sizes have 64 bits anyway.
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define ALSO(name) __attribute__((alias(#name)))
_Static_assert(sizeof(off_t) == 8, "off_t has 64 bits");

// As journal.ts reads it; `length` bytes follow.
struct record { uint32_t what, thread; uint64_t file, at, length; };

typedef char path_t[2 * PATH_MAX];
static int journal = -1;
static path_t folder;

__attribute__((constructor)) static void start(void) {
  const char *below = getenv("POWER_CUT_FOLDER"), *to = getenv("POWER_CUT_JOURNAL");
  if (!below || !to) return;
  snprintf(folder, sizeof folder, "%s/", below);
  journal = REAL(open)(to, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (journal < 0) abort();
}

static void note(char what, uint64_t file, uint64_t at, const void *bytes, size_t length) {
  int error = errno;
  struct record head = {(uint32_t)what, (uint32_t)gettid(), file, at, length};
  struct iovec parts[2] = {{&head, sizeof head}, {(void *)bytes, length}};
  if (REAL(writev)(journal, parts, 2) != (ssize_t)(sizeof head + length)) abort();
  errno = error;
}

// The part of a path that is below the folder; nothing where it lies elsewhere.
static const char *below(const char *path, path_t whole) {
  if (journal < 0 || !path) return NULL;
  while (!strncmp(path, "./", 2)) path += 2;
  if (path[0] == '/') whole[0] = 0;
  else if (!getcwd(whole, PATH_MAX)) return NULL;
  size_t length = strlen(whole), start = strlen(folder);
  snprintf(whole + length, sizeof(path_t) - length, "%s%s", length ? "/" : "", path);
  if (!strncmp(whole, folder, start)) return whole + start;
  return strlen(whole) + 1 == start && !strncmp(whole, folder, start - 1) ? "" : NULL;
}

// The same of an open file, asked each time: descriptors are copied and inherited.
static const char *open_below(int fd, struct stat *is, path_t whole) {
  char link[64];
  path_t path;
  if (journal < 0 || fstat(fd, is) || !(S_ISREG(is->st_mode) || S_ISDIR(is->st_mode))) return NULL;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return NULL;
  path[length] = 0;
  return below(path, whole);
}

// A change of names that has succeeded; `to` for those that have two.
static int named(int failed, char what, uint64_t file, const char *from, const char *to) {
  path_t one, two, both;
  const char *a = failed ? NULL : below(from, one), *b = failed ? NULL : below(to, two);
  if (a && b) note(what, file, 0, both, (size_t)sprintf(both, "%s%c%s", a, 0, b));
  else if (a && !to) note(what, file, 0, a, strlen(a));
  else if (a || b) note('?', 0, 0, "a move into the folder or out of it", 35);
  return failed;
}

int open(const char *path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;
  va_end(more);
  int isNew = (flags & O_CREAT) && access(path, F_OK), fd = REAL(open)(path, flags, mode);
  path_t whole;
  struct stat is;
  if (fd < 0 || !(flags & O_ACCMODE) || !open_below(fd, &is, whole)) return fd;
  if (isNew) named(0, 'c', is.st_ino, path, NULL);
  else if (flags & O_TRUNC) note('t', is.st_ino, 0, NULL, 0);
  if (flags & O_DSYNC) note('?', is.st_ino, 0, "each write is a sync", 20);
  return fd;
}
int open64(const char *, int, ...) ALSO(open);

// `at` is negative for a write at the file's own position, which is behind it now, also in a file opened for appending.
static ssize_t wrote(int fd, const struct iovec *parts, off_t at, ssize_t length) {
  path_t whole;
  struct stat is;
  if (length <= 0 || !open_below(fd, &is, whole)) return length;
  if (at < 0) at = lseek(fd, 0, SEEK_CUR) - length;
  for (ssize_t left = length, some; left > 0; parts++, left -= some, at += some) {
    some = (ssize_t)parts->iov_len < left ? (ssize_t)parts->iov_len : left;
    note('w', is.st_ino, (uint64_t)at, parts->iov_base, (size_t)some);
  }
  return length;
}
#define ONE(bytes, length) ((struct iovec[]){{(void *)bytes, length}})
ssize_t write(int fd, const void *bytes, size_t length) { return wrote(fd, ONE(bytes, length), -1, REAL(write)(fd, bytes, length)); }
ssize_t pwrite(int fd, const void *bytes, size_t length, off_t at) { return wrote(fd, ONE(bytes, length), at, REAL(pwrite)(fd, bytes, length, at)); }
ssize_t pwrite64(int, const void *, size_t, off64_t) ALSO(pwrite);
ssize_t writev(int fd, const struct iovec *parts, int count) { return wrote(fd, parts, -1, REAL(writev)(fd, parts, count)); }
ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t at) { return wrote(fd, parts, at, REAL(pwritev)(fd, parts, count, at)); }

// A file that has become shorter or longer, or (`v`) is mapped so that others see what is written there.
static int is(int failed, char what, int fd) {
  path_t whole;
  struct stat is;
  if (!failed && open_below(fd, &is, whole)) note(what, is.st_ino, (uint64_t)is.st_size, NULL, 0);
  return failed;
}
int ftruncate(int fd, off_t size) { return is(REAL(ftruncate)(fd, size), 't', fd); }
int ftruncate64(int, off64_t) ALSO(ftruncate);
int posix_fallocate(int fd, off_t at, off_t length) { return is(REAL(posix_fallocate)(fd, at, length), 't', fd); }
void *mmap(void *where, size_t length, int may, int flags, int fd, off_t at) {
  is(fd < 0 || !(may & PROT_WRITE) || !(flags & MAP_SHARED), 'v', fd);
  return REAL(mmap)(where, length, may, flags, fd, at);
}
void *mmap64(void *, size_t, int, int, int, off64_t) ALSO(mmap);

static int synced(int fd, int (*sync)(int)) {
  path_t whole;
  struct stat is;
  const char *name = open_below(fd, &is, whole);
  int isFolder = name && S_ISDIR(is.st_mode);
  if (name) note(isFolder ? 'd' : 's', is.st_ino, 0, name, strlen(name));
  int failed = sync(fd);
  if (name && !failed) note(isFolder ? 'D' : 'S', is.st_ino, 0, name, strlen(name));
  return failed;
}
int fsync(int fd) { return synced(fd, REAL(fsync)); }
int fdatasync(int fd) { return synced(fd, REAL(fdatasync)); }

int rename(const char *from, const char *to) { return named(REAL(rename)(from, to), 'r', 0, from, to); }
int link(const char *from, const char *to) { return named(REAL(link)(from, to), 'l', 0, from, to); }
int unlink(const char *path) { return named(REAL(unlink)(path), 'u', 0, path, NULL); }
int rmdir(const char *path) { return named(REAL(rmdir)(path), 'u', 0, path, NULL); }
int mkdir(const char *path, mode_t mode) { return named(REAL(mkdir)(path, mode), 'm', 0, path, NULL); }
