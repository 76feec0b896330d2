package io.lazuli.server.watch;

/** An {@link OwnerFile} of a running server. If the file disappears, that is a problem. */
public final class WatchedOwnerFile<T> implements WatchedFiles<T> {
  /** Refuses content that the server cannot use. */
  @FunctionalInterface
  public interface Check<T> {
    void check(T content) throws WatchException;
  }

  private final OwnerFile<T> file;
  private final Check<T> check;
  private boolean present;

  public WatchedOwnerFile(OwnerFile<T> file, Check<T> check) {
    this.file = file;
    this.check = check;
  }

  @Override
  public Object stamp() {
    return file.stamp();
  }

  @Override
  public T read() throws WatchException {
    try {
      T read = file.readIfThere();
      if (present && read == null) {
        throw new WatchException(
            "the " + file.title() + " file " + file.path() + " no longer exists");
      }
      T content = read == null ? file.empty() : read;
      check.check(content);
      present = read != null;
      return content;
    } catch (RefusedFileException e) {
      throw new WatchException(String.valueOf(e.getMessage()), e);
    }
  }
}
