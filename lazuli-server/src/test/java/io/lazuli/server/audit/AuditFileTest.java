package io.lazuli.server.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditFileTest {
  @TempDir private Path folder;
  private Path file;

  @BeforeEach
  void name() {
    file = folder.resolve("audit.jsonl");
  }

  private AuditFile open(long bytesMax, int filesMax) throws IOException {
    return new AuditFile(new AuditConfig(file, bytesMax, filesMax));
  }

  private static void write(AuditFile to, String lines) throws IOException {
    to.write(lines.getBytes(StandardCharsets.UTF_8));
  }

  private List<String> names() throws IOException {
    try (Stream<Path> found = Files.list(folder)) {
      return found.map(one -> one.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void linesAreAppendedToThoseOfEarlierRuns() throws IOException {
    try (AuditFile audit = open(1_000, 3)) {
      write(audit, "one\n");
      write(audit, "two\n");
    }
    try (AuditFile audit = open(1_000, 3)) {
      write(audit, "three\n");
    }
    assertThat(file).hasContent("one\ntwo\nthree\n");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }

  @Test
  void fullFilesAreRenamedAndTheOldestOneIsRemoved() throws IOException {
    try (AuditFile audit = open(8, 3)) {
      for (String line : List.of("aaaa\n", "bbbb\n", "cccc\n", "dddd\n", "longer than a file\n")) {
        write(audit, line);
      }
    }
    assertThat(names()).containsExactly("audit.jsonl", "audit.jsonl.1", "audit.jsonl.2");
    assertThat(file).hasContent("longer than a file\n");
    assertThat(folder.resolve("audit.jsonl.1")).hasContent("dddd\n");
    assertThat(folder.resolve("audit.jsonl.2")).hasContent("cccc\n");
  }

  @Test
  void oneFileIsEnough() throws IOException {
    try (AuditFile audit = open(8, 1)) {
      write(audit, "aaaa\n");
      write(audit, "bbbb\n");
    }
    assertThat(names()).containsExactly("audit.jsonl");
    assertThat(file).hasContent("bbbb\n");
  }

  @Test
  void aTornLineStaysAloneInItsLine() throws IOException {
    Files.writeString(file, "{\"whole\":1}\n{\"to");
    try (AuditFile audit = open(1_000, 3)) {
      write(audit, "next\n");
    }
    assertThat(file).hasContent("{\"whole\":1}\n{\"to\nnext\n");
  }

  @Test
  void twoServersDoNotShareAFile() throws IOException {
    try (AuditFile audit = open(1_000, 3)) {
      assertThatThrownBy(() -> open(1_000, 3)).hasMessageContaining("another server");
      write(audit, "one\n");
    }
    assertThat(file).hasContent("one\n");
  }

  @Test
  void aFileThatSomebodyRenamedIsLeftAndANewOneBegins() throws IOException {
    try (AuditFile audit = open(1_000, 3)) {
      write(audit, "one\n");
      Files.move(file, folder.resolve("moved"));
      write(audit, "two\n");
      audit.sync();
      write(audit, "three\n");
    }
    assertThat(folder.resolve("moved")).hasContent("one\ntwo\n");
    assertThat(file).hasContent("three\n");
  }

  @Test
  void linksAreNotFollowed() throws IOException {
    Path other = Files.writeString(folder.resolve("other"), "precious");
    Files.createSymbolicLink(file, other);
    assertThatThrownBy(() -> open(1_000, 3)).isInstanceOf(IOException.class);
    assertThat(other).hasContent("precious");
  }
}
