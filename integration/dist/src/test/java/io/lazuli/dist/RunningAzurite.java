package io.lazuli.dist;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.netty.NettyAsyncHttpClientBuilder;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A command azurite that an npm package runs, on free ports. Closing it kills all its processes.
 */
final class RunningAzurite implements AutoCloseable {
  static final String[] FREE_PORTS = {"--blobPort", "0", "--queuePort", "0", "--tablePort", "0"};

  private static final String KEY =
      "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

  private final Process process;
  private final BufferedReader output;
  private final List<String> lines = new ArrayList<>();
  private final List<ProcessHandle> all;

  private RunningAzurite(Process process) throws IOException {
    this.process = process;
    output = process.inputReader(StandardCharsets.UTF_8);
    String line = "";
    while (!line.startsWith("Lazuli ")) {
      line = output.readLine();
      assertThat(line).as("%s", lines).isNotNull();
      lines.add(line);
    }
    all = Stream.concat(Stream.of(process.toHandle()), process.descendants()).toList();
  }

  /** Starts a command of a folder, which is followed by free ports, and waits until it serves. */
  static RunningAzurite start(NpmApp app, String... command) throws IOException {
    List<String> words = new ArrayList<>(List.of(command));
    words.addAll(List.of(FREE_PORTS));
    return new RunningAzurite(app.process(words.toArray(String[]::new)).start());
  }

  /** Returns clients of the three services. */
  RoundTrip trip() {
    StringBuilder text = new StringBuilder("AccountName=devstoreaccount1;AccountKey=" + KEY);
    for (String service : List.of("Blob", "Queue", "Table")) {
      String line =
          lines.stream()
              .filter(one -> one.startsWith("Azurite " + service + " service is successfully"))
              .findFirst()
              .orElseThrow();
      String address = line.substring(line.lastIndexOf(' ') + 1);
      text.append(";").append(service).append("Endpoint=").append(address);
      text.append("/devstoreaccount1");
    }
    return new RoundTrip(text.toString(), new NettyAsyncHttpClientBuilder().build());
  }

  /** Returns the process that runs the script of the package. */
  ProcessHandle node() {
    return find("node");
  }

  ProcessHandle java() {
    return find("java");
  }

  private ProcessHandle find(String program) {
    // The innermost one: npx runs in Node.js too.
    return all.stream()
        .filter(one -> one.info().command().orElse("").endsWith("/" + program))
        .reduce((first, last) -> last)
        .orElseThrow();
  }

  /** Sends a signal to all processes, as programs do that end what they have started. */
  void signalAll(String name) throws Exception {
    for (ProcessHandle one : all) {
      new ProcessBuilder("/bin/kill", "-" + name, "" + one.pid()).start().waitFor();
    }
  }

  /** Waits until all processes have ended. Returns the lines that they printed at the end. */
  List<String> end() throws Exception {
    for (ProcessHandle one : all) {
      one.onExit().get(20, TimeUnit.SECONDS);
    }
    return output.lines().toList();
  }

  int exitCode() throws InterruptedException {
    return process.waitFor();
  }

  @Override
  public void close() {
    all.forEach(ProcessHandle::destroyForcibly);
  }
}
