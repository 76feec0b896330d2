package io.lazuli.server.identity;

import io.lazuli.server.watch.FileWatch;
import io.lazuli.server.watch.WatchException;
import io.lazuli.server.watch.WatchedFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The keys of an issuer in a file, for servers that cannot reach the issuer. */
final class KeyFile implements IssuerKeys, AutoCloseable {
  private final FileWatch<KeySet> watch;

  private KeyFile(FileWatch<KeySet> watch) {
    this.watch = watch;
  }

  /**
   * Reads the file and follows its changes.
   *
   * @throws WatchException if the file cannot be used
   */
  static KeyFile follow(Path file, Duration period) throws WatchException {
    FileWatch<KeySet> watch =
        new FileWatch<>(new Content(file), "the previous keys of the issuer stay in use");
    watch.start("issuer-keys", fresh -> {}, current -> {}, period);
    return new KeyFile(watch);
  }

  @Override
  public KeySet current() {
    return watch.content();
  }

  @Override
  public CompletionStage<KeySet> newer() {
    return CompletableFuture.completedFuture(current());
  }

  @Override
  public String trouble() {
    return watch.trouble();
  }

  @Override
  public void close() {
    watch.close();
  }

  private record Content(Path file) implements WatchedFiles<KeySet> {
    @Override
    public Object stamp() {
      try {
        BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
        return List.of(found.lastModifiedTime(), found.size(), "" + found.fileKey());
      } catch (IOException e) {
        return "missing";
      }
    }

    @Override
    public KeySet read() throws WatchException {
      try (InputStream in = Files.newInputStream(file)) {
        byte[] bytes = in.readNBytes(IssuerDocuments.BYTES_MAX + 1);
        if (bytes.length > IssuerDocuments.BYTES_MAX) {
          throw new KeysException("it is too large");
        }
        return KeySet.parse(new String(bytes, StandardCharsets.UTF_8));
      } catch (NoSuchFileException e) {
        throw new WatchException("there is no file " + file, e);
      } catch (IOException e) {
        throw new WatchException("cannot read " + file + ": " + e, e);
      } catch (KeysException e) {
        throw new WatchException("cannot use " + file + ": " + e.getMessage(), e);
      }
    }
  }
}
