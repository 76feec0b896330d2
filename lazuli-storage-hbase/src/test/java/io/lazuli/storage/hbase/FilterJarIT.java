package io.lazuli.storage.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The classes that region servers load, as they are packed. */
class FilterJarIT {
  /** Java 8, on which region servers of HBase 2 may run. */
  private static final int JAVA_8 = 52;

  @Test
  void allClassesOfTheFilterRunOnJava8() throws IOException {
    Map<String, Integer> versions = new TreeMap<>();
    for (Path home : FilterJars.all()) {
      if (Files.isDirectory(home)) {
        versions.putAll(versions(home));
      } else {
        try (FileSystem jar = FileSystems.newFileSystem(home)) {
          versions.putAll(versions(jar.getPath("/")));
        }
      }
    }
    assertThat(versions.keySet())
        .anyMatch(name -> name.endsWith("EntityFilterV1.class"))
        .anyMatch(name -> name.endsWith("EntityCondition.class"));
    assertThat(versions).allSatisfy((name, version) -> assertThat(version).isEqualTo(JAVA_8));
  }

  /** Returns the versions of the classes below a folder that the filter may use. */
  private static Map<String, Integer> versions(Path home) throws IOException {
    Map<String, Integer> versions = new TreeMap<>();
    for (String part : new String[] {"io/lazuli/hbase", "io/lazuli/storage/entity"}) {
      Path folder = home.resolve(part);
      if (Files.isDirectory(folder)) {
        try (Stream<Path> files = Files.walk(folder)) {
          files
              .filter(file -> file.toString().endsWith(".class"))
              .forEach(file -> versions.put(file.toString(), version(file)));
        }
      }
    }
    return versions;
  }

  private static int version(Path file) {
    try (DataInputStream in = new DataInputStream(Files.newInputStream(file))) {
      in.skipBytes(Integer.BYTES + Short.BYTES);
      return in.readUnsignedShort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
