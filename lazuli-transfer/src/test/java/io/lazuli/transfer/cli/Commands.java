package io.lazuli.transfer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.transfer.entity.Entity;
import io.lazuli.transfer.http.Endpoint;
import io.lazuli.transfer.http.StorageClient;
import io.lazuli.transfer.http.StorageKind;
import io.lazuli.transfer.table.Tables;
import io.lazuli.transfer.table.TestTable;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import picocli.CommandLine;

/** Runs commands of users against the packed server: in this process, or in one to be killed. */
final class Commands {
  private static final AtomicInteger NAMES = new AtomicInteger();

  private Commands() {}

  /** The exit code and everything that was printed. */
  record Result(int code, String out, String err) {}

  static Result run(Object... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine line =
        Transfer.commandLine(
            Map.of("AZURE_STORAGE_CONNECTION_STRING", PackedServer.connectionString()));
    line.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    int code = line.execute(texts(args).toArray(String[]::new));
    return new Result(code, out.toString(), err.toString());
  }

  /** Runs a command that must succeed; returns what it printed. */
  static String succeed(Object... args) {
    Result result = run(args);
    assertThat(result.code()).as(result.err() + result.out()).isZero();
    return result.out();
  }

  /** Starts a command in a process with a heap of 64 MiB. */
  static Process start(Object... args) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:+ExitOnOutOfMemoryError",
                "-cp",
                System.getProperty("java.class.path"),
                "io.lazuli.transfer.cli.Transfer"));
    command.addAll(texts(args));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("AZURE_STORAGE_CONNECTION_STRING", PackedServer.connectionString());
    return builder.redirectOutput(ProcessBuilder.Redirect.INHERIT).start();
  }

  private static List<String> texts(Object... args) {
    return Stream.of(args).map(String::valueOf).toList();
  }

  /** Returns a name that no other test has, for a table, queue or container. */
  static String name() {
    return "t" + NAMES.incrementAndGet() + "x" + Long.toString(System.nanoTime(), 36);
  }

  static StorageClient client(StorageKind kind) {
    return new StorageClient(Endpoint.ofConnectionString(PackedServer.connectionString(), kind));
  }

  static Tables table(String name) {
    return new Tables(client(StorageKind.TABLE), name);
  }

  /** Returns the entities of a table in the order of their keys. */
  static List<Entity> entities(String name) {
    return TestTable.entities(table(name));
  }
}
