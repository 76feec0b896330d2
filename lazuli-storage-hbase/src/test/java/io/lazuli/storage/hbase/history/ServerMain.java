package io.lazuli.storage.hbase.history;

import io.lazuli.storage.StorageEngine;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The main class of {@link ServerProcess}. It reads requests and writes answers, one per line. Each
 * line begins with the number of the request. It ends with its input.
 */
final class ServerMain {
  private static final int THREADS = 16;

  private ServerMain() {}

  /** Arguments: the configuration file of the cluster, and the number of the space. */
  public static void main(String[] arguments) throws IOException {
    PrintStream answers = System.out;
    // Keeps output of libraries apart from the answers.
    System.setOut(System.err);
    StorageEngine engine = EngineServer.open(Path.of(arguments[0]));
    Server server = new EngineServer(engine, Store.of(Long.parseLong(arguments[1])));
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    BufferedReader requests =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    println(answers, "ready");
    for (String line = requests.readLine(); line != null; line = requests.readLine()) {
      int space = line.indexOf(' ');
      String number = line.substring(0, space);
      Server.Request request = Server.Request.parse(line.substring(space + 1));
      threads.execute(() -> println(answers, number + " " + server.ask(request).line()));
    }
    Runtime.getRuntime().halt(0);
  }

  private static void println(PrintStream answers, String line) {
    synchronized (answers) {
      answers.println(line);
      answers.flush();
    }
  }
}
