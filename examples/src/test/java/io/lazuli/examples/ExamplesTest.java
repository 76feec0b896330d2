package io.lazuli.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.LazuliServer;
import io.lazuli.server.junit.LazuliExtension;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Both programs run and print the same. */
@ExtendWith(LazuliExtension.class)
class ExamplesTest {
  private static final String PRINTED =
      """
      inserted: 3 employees and their department
      point query: Jun Cao
      range query: Ken Kwok, Jun Cao, Don Hall
      partition scan: Jun Cao, Don Hall
      transaction: 4 employees
      stale ETag: 412
      first page: Ken Kwok, Jun Cao
      next page: Don Hall, Mary Smith
      """;

  @Test
  void theNewSdkWorks(LazuliServer server) throws Exception {
    assertThat(printed(DataTablesExample::main, server)).isEqualTo(PRINTED);
  }

  @Test
  void theLegacySdkWorks(LazuliServer server) throws Exception {
    assertThat(printed(LegacyStorageExample::main, server)).isEqualTo(PRINTED);
  }

  static String printed(Program program, LazuliServer server) throws Exception {
    PrintStream console = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      program.run(new String[] {server.connectionString()});
    } finally {
      System.setOut(console);
    }
    return printed.toString(StandardCharsets.UTF_8).replace(System.lineSeparator(), "\n");
  }

  @FunctionalInterface
  interface Program {
    void run(String[] args) throws Exception;
  }
}
