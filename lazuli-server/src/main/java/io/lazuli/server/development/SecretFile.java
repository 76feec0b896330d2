package io.lazuli.server.development;

import io.lazuli.server.watch.OwnerFile;
import java.nio.file.Path;
import java.util.function.UnaryOperator;

/** A text that only the owner of the file can read. A missing file is an empty text. */
final class SecretFile extends OwnerFile<String> {
  SecretFile(String title, Path path) {
    super(title, path, "", UnaryOperator.identity(), UnaryOperator.identity());
  }

  void write(String text) {
    String unused = edit(before -> text);
  }
}
