package io.lazuli.conformance.history;

import io.lazuli.cluster.LazuliJars;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * A later version of the packed server: the same sources, changed in a few places, so that it knows
 * one more data format. Once the store has that format, it writes all bytes of entities, messages
 * and blobs inverted. This version cannot read them.
 */
final class NextVersion {
  private static final String STORAGE = "lazuli-storage/src/main/java/io/lazuli/storage/";
  private static final String ENGINE =
      "lazuli-storage-hbase/src/main/java/io/lazuli/storage/hbase/";

  private final Path checkout;
  private final Map<String, String> sources = new LinkedHashMap<>();

  private NextVersion(Path checkout) {
    this.checkout = checkout;
  }

  /** Makes the jars of the later version in a folder. */
  static LazuliJars make(LazuliJars jars, Path folder) {
    try {
      NextVersion next = new NextVersion(jars.server().resolve("../../..").normalize());
      next.change();
      return next.pack(jars, folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void change() throws IOException {
    replace(STORAGE + "DataFormat.java", "int NEWEST = 2;", "int NEWEST = 3;");
    replace(
        ENGINE + "format/StoreFormat.java",
        "    number = row.number();",
        "    number = row.number();\n"
            + "    io.lazuli.storage.hbase.call.StoredCell.format = number;");
    replace(
        ENGINE + "commit/Commit.java",
        "StoredCell.encode(version, writeId, value)",
        "StoredCell.encodeNext(version, writeId, value, table)");
    replace(
        ENGINE + "call/StoredCell.java",
        "  /** Returns the stored value of a record. */",
        """
          public static volatile int format = 2;

          public static byte[] encodeNext(long version, long id, byte[] record, StoreTable table) {
            boolean next = format >= 3
                && table != StoreTable.CATALOG && table != StoreTable.CHUNKS;
            byte[] stored = encode(version, id, next ? inverted(record) : record);
            stored[0] |= (byte) (next ? 0x40 : 0);
            return stored;
          }

          public static byte[] record(byte[] stored) {
            byte[] record = Arrays.copyOfRange(stored, HEAD_BYTES, stored.length);
            return (stored[0] & 0x40) == 0 ? record : inverted(record);
          }

          private static byte[] inverted(byte[] record) {
            byte[] inverted = record.clone();
            for (int i = 0; i < inverted.length; i++) {
              inverted[i] ^= (byte) 0xff;
            }
            return inverted;
          }
        """,
        "Arrays.copyOfRange(bytes, HEAD_BYTES, bytes.length) : null",
        "record(bytes) : null",
        "ByteBuffer.wrap(stored).getLong() & ~TOMBSTONE",
        "ByteBuffer.wrap(stored).getLong() & ~(TOMBSTONE | TOMBSTONE >>> 1)");
    replace(
        ENGINE + "ScanRun.java",
        "cell.getValueArray(),",
        "StoredCell.record(StoredCell.of(cell).requireStored()),",
        "cell.getValueOffset() + StoredCell.HEAD_BYTES,",
        "0,",
        "cell.getValueLength() - StoredCell.HEAD_BYTES,",
        "cell.getValueLength() - StoredCell.HEAD_BYTES,");
  }

  /**
   * Replaces texts of a file.
   *
   * @param texts each text, which must be there, and its replacement
   */
  private void replace(String file, String... texts) throws IOException {
    String source = Files.readString(checkout.resolve(file));
    for (int i = 0; i < texts.length; i += 2) {
      if (!source.contains(texts[i])) {
        throw new AssertionError(file + " has changed, and has no text " + texts[i]);
      }
      source = source.replace(texts[i], texts[i + 1]);
    }
    // The annotations of the compiler's checks are not in the jars.
    String plain =
        source
            .replaceAll("@GuardedBy\\(\"[^\"]*\"\\)", "")
            .replaceAll("import com\\.google\\.errorprone\\.[^;]*;", "");
    sources.put(file, plain);
  }

  private LazuliJars pack(LazuliJars jars, Path folder) throws IOException {
    Path server = copy(jars.server(), folder.resolve("lazuli.jar"));
    Path engine = Files.createDirectories(folder.resolve("engine"));
    try (Stream<Path> files = Files.list(jars.engineFolder())) {
      for (Path file : files.toList()) {
        copy(file, engine.resolve(file.getFileName()));
      }
    }
    Path classes = compile(folder, server, engine);
    add(server, classes, "io/lazuli/storage/DataFormat");
    add(engineJar(engine), classes, "io/lazuli/storage/hbase/");
    return new LazuliJars(server, engine);
  }

  private static Path engineJar(Path engine) throws IOException {
    try (Stream<Path> files = Files.list(engine)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("lazuli-storage-hbase-"))
          .findFirst()
          .orElseThrow();
    }
  }

  private static Path copy(Path from, Path to) throws IOException {
    return Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
  }

  private Path compile(Path folder, Path server, Path engine) throws IOException {
    Path classes = Files.createDirectories(folder.resolve("classes"));
    List<Path> files = new ArrayList<>();
    for (Map.Entry<String, String> source : sources.entrySet()) {
      Path file = folder.resolve("sources").resolve(source.getKey());
      Files.createDirectories(file.getParent());
      files.add(Files.writeString(file, source.getValue()));
    }
    String path;
    try (Stream<Path> jars = Files.list(engine)) {
      path =
          Stream.concat(Stream.of(server), jars)
              .map(Path::toString)
              .collect(Collectors.joining(File.pathSeparator));
    }
    List<String> options =
        List.of("-proc:none", "-nowarn", "--release", "17", "-cp", path, "-d", classes.toString());
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter output = new StringWriter();
    try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
      boolean compiled =
          compiler
              .getTask(
                  output, manager, null, options, null, manager.getJavaFileObjectsFromPaths(files))
              .call();
      if (!compiled) {
        throw new AssertionError("the next version does not compile: " + output);
      }
    }
    return classes;
  }

  /** Replaces classes of a jar. */
  private static void add(Path jar, Path classes, String prefix) throws IOException {
    try (FileSystem inside = FileSystems.newFileSystem(jar);
        Stream<Path> files = Files.walk(classes)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String name = classes.relativize(file).toString().replace(File.separatorChar, '/');
        if (name.startsWith(prefix)) {
          copy(file, inside.getPath(name));
        }
      }
    }
  }
}
