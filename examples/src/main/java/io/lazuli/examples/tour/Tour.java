package io.lazuli.examples.tour;

import io.lazuli.examples.Account;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * {@code lazuli tour}: runs its own server, every scenario, and one crash. The exit status is 0 if
 * nothing was lost. It leaves no process and no folder, even when it is interrupted.
 */
public final class Tour {
  private static final int WRITES_BEFORE_KILL = 200;

  private static final String USAGE =
      """
      Usage: lazuli tour
      Starts a server in a temporary folder, runs the scenarios of the Table Design Guide, prints
      their requests, kills the server, and checks that nothing was lost. It takes about a minute
      and leaves nothing. It has no options but --help.""";

  private final PrintStream out;
  private final Path jar;
  private final Path folder;
  private @Nullable ServerProcess server;
  private volatile boolean closed;

  private Tour(PrintStream out, Path jar) throws IOException {
    this.out = out;
    this.jar = jar;
    this.folder = Files.createTempDirectory("lazuli-tour");
  }

  /**
   * Takes the name of the sub-command, which the start script passes on, and {@code --help}. The
   * system property {@code lazuli.server} names the packed server.
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    List<String> words = List.of(args);
    boolean named = !words.isEmpty() && words.get(0).equals("tour");
    List<String> options = words.subList(named ? 1 : 0, words.size());
    if (!options.isEmpty()) {
      System.exit(answer(options.get(0)));
    }
    String server = System.getProperty("lazuli.server", "");
    if (server.isEmpty() || !Files.isReadable(Path.of(server))) {
      System.err.println(
          "lazuli: the tour needs a packed server, but this file cannot be read: " + server);
      System.exit(2);
    }
    Tour tour = new Tour(System.out, Path.of(server).toAbsolutePath());
    Runtime.getRuntime().addShutdownHook(new Thread(tour::close, "tour-close"));
    tour.walkToTheEnd();
  }

  /** Prints the usage, or that there is no such option. Returns the exit status. */
  private static int answer(String option) {
    if (option.equals("--help") || option.equals("-h")) {
      System.out.println(USAGE);
      return 0;
    }
    System.err.println("lazuli: the tour does not know " + option + "\nlazuli tour --help");
    return 2;
  }

  /** Ignores failures after an interruption, because the server is then being stopped. */
  private void walkToTheEnd() throws InterruptedException {
    try {
      System.exit(walk() ? 0 : 1);
    } catch (RuntimeException e) {
      if (!closed) {
        throw e;
      }
    }
  }

  private boolean walk() throws InterruptedException {
    out.println("Lazuli tour: the Table Design Guide against its own server, in about a minute.");
    out.println("Each step prints its purpose and then the requests that it sent.");
    String connectionString = start().connectionString();
    RequestWatch watch = new RequestWatch();
    Narrator narrator = new Narrator(out, watch);
    Scenarios.walk(narrator, Account.watched(connectionString, watch::policy));
    boolean kept = crash(narrator, connectionString);
    out.printf(
        "%nThat was the tour. The code is in examples/, the tutorial in docs/patterns.md.%n");
    return kept;
  }

  private boolean crash(Narrator narrator, String connectionString) throws InterruptedException {
    narrator.chapter(
        "Kill and restart",
        "A response is a promise: an acknowledged write is on disk, whatever happens next.");
    out.println();
    Crash crash = Crash.begin(connectionString, WRITES_BEFORE_KILL);
    crash.awaitEnough();
    stop();
    crash.awaitEnd();
    out.printf("   kill -9 while 4 writers insert%n");
    out.printf("   %6d inserts were acknowledged%n", crash.acknowledged());
    out.printf("   %6d had no response yet%n", crash.unanswered());
    Set<String> stored = Crash.stored(start().connectionString());
    int lost = crash.lost(stored);
    out.printf("   restart on the same folder%n");
    out.printf("   %6d entities are stored%n", stored.size());
    out.printf("   %6d acknowledged inserts were lost%n", lost);
    return lost == 0;
  }

  private synchronized ServerProcess start() {
    if (closed) {
      throw new IllegalStateException("the tour was interrupted");
    }
    server = ServerProcess.start(jar, folder);
    return server;
  }

  private synchronized void stop() {
    if (server != null) {
      server.close();
    }
  }

  private void close() {
    closed = true;
    stop();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
