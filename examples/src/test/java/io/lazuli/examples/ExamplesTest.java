package io.lazuli.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.junit.LazuliExtension;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Both programs run and print the same. */
class ExamplesTest {
  @RegisterExtension static final LazuliExtension LAZULI = new LazuliExtension();

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
  void theNewSdkWorks() throws Exception {
    assertThat(printed(DataTablesExample::main)).isEqualTo(PRINTED);
  }

  @Test
  void theLegacySdkWorks() throws Exception {
    assertThat(printed(LegacyStorageExample::main)).isEqualTo(PRINTED);
  }

  private static String printed(Program program) throws Exception {
    PrintStream console = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      program.run(new String[] {LAZULI.connectionString()});
    } finally {
      System.setOut(console);
    }
    return printed.toString(StandardCharsets.UTF_8).replace(System.lineSeparator(), "\n");
  }

  @FunctionalInterface
  private interface Program {
    void run(String[] args) throws Exception;
  }
}
