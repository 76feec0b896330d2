package io.lazuli.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.catalog.ServiceHome;
import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.config.StoreConfig;
import io.lazuli.server.engine.Engines;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Partition;
import io.lazuli.storage.StorageEngine;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code lazuli verify} and {@code lazuli repair}. */
class VerifyCommandTest {
  @TempDir private Path folder;
  private String out = "";
  private String err = "";

  @Test
  void anIntactLogIsNotTouched() throws IOException {
    write();
    byte[] before = Files.readAllBytes(log());
    assertThat(run("verify")).isZero();
    assertThat(out)
        .matches("log: [\\d,]+ bytes, ([\\d,]+ batches|1 batch)\\Rread: \\d+ files, 0 tables.*\\R");
    assertThat(log()).hasBinaryContent(before);
    assertThat(run("repair")).isZero();
    assertThat(log()).hasBinaryContent(before);
    assertThat(run("repair", "--salvage")).isZero();
    assertThat(out).startsWith("the log is not damaged").contains("no table file is damaged");
    assertThat(folder.resolve("damaged-log-1")).doesNotExist();
  }

  @Test
  void damageIsListedAndCanBeSalvaged() throws IOException {
    write();
    byte[] bytes = Files.readAllBytes(log());
    bytes[bytes.length / 2] ^= 1;
    Files.write(log(), bytes);
    assertThat(run("serve")).isEqualTo(1);
    assertThat(err)
        .hasLineCount(1)
        .startsWith("lazuli: the log is damaged: " + log() + ", offset ")
        .contains("lazuli verify --data " + folder, "lazuli repair");
    assertThat(run("verify")).isEqualTo(1);
    assertThat(out)
        .startsWith("file, " + log() + ", offset ")
        .contains("does not pass its checksum", "only files were checked");
    assertThat(err).isEqualTo("lazuli: 1 damaged, see above" + System.lineSeparator());
    assertThat(run("repair")).isEqualTo(1);
    assertThat(out).contains("the log was copied to " + folder.resolve("damaged-log-1"), "lost: ");
    assertThat(log()).hasBinaryContent(bytes);
    assertThat(run("repair", "--salvage")).isZero();
    assertThat(run("verify")).isZero();
    open().close();
  }

  @Test
  void theFolderMayBeAParameterAndTheOutputJson() throws IOException {
    write();
    StringWriter printed = new StringWriter();
    CommandLine line =
        Main.commandLine(new Secrets(System.in, Map.of()), Map.of())
            .setOut(new PrintWriter(printed));
    assertThat(line.execute("verify", folder.toString(), "--json")).isZero();
    assertThat(printed.toString().lines())
        .isNotEmpty()
        .allMatch(each -> each.startsWith("{\"type\":\"") && each.endsWith("}"))
        .anyMatch(each -> each.contains("\"damaged\":0"));
  }

  @Test
  void aServerInUseOrAnotherFolderIsOneLine() {
    assertThat(run("verify")).isEqualTo(1);
    assertThat(err)
        .isEqualTo(
            "lazuli: " + folder + " is not a data folder of Lazuli" + System.lineSeparator());
    assertThat(folder).isEmptyDirectory();
    try (StorageEngine engine = open()) {
      assertThat(engine.state().writable()).isTrue();
      for (String command : List.of("verify", "repair")) {
        assertThat(run(command)).isEqualTo(1);
        assertThat(err).hasLineCount(1).contains("is in use by another running server");
      }
    }
  }

  @Test
  void wrongOptionsAreRefused() {
    for (String command : List.of("verify", "repair")) {
      assertThat(run(command, "--fast")).isEqualTo(2);
      assertThat(err).startsWith("lazuli: unknown option --fast").hasLineCount(2);
      assertThat(run(command, "--help")).isZero();
      assertThat(out).contains("--data", "The server may not be running.");
    }
  }

  private void write() {
    Partition partition = ServiceHome.ofTables("a").partition();
    try (StorageEngine engine = open()) {
      for (int i = 0; i < 20; i++) {
        Bytes row = Bytes.of(new byte[] {'p'});
        engine
            .transact(
                partition,
                List.of(),
                Deadline.NEVER,
                view -> {
                  view.put(row, new byte[100]);
                  return null;
                })
            .join();
      }
    }
  }

  private StorageEngine open() {
    StoreConfig store = ServerConfig.builder().dataFolder(folder).build().store();
    return Engines.open(store);
  }

  private Path log() throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve("rocksdb"))) {
      return files.filter(file -> file.toString().endsWith(".log")).findFirst().orElseThrow();
    }
  }

  private int run(String command, String... options) {
    StringWriter printed = new StringWriter();
    StringWriter complaints = new StringWriter();
    CommandLine line =
        Main.commandLine(new Secrets(System.in, Map.of()), Map.of())
            .setOut(new PrintWriter(printed))
            .setErr(new PrintWriter(complaints));
    String[] words =
        Stream.concat(Stream.of(command, "--data", folder.toString()), Stream.of(options))
            .toArray(String[]::new);
    int code = line.execute(words);
    out = printed.toString();
    err = complaints.toString();
    return code;
  }
}
