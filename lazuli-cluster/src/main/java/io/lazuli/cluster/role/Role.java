package io.lazuli.cluster.role;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The main class of every process of a cluster: runs a role of HBase or Hadoop. It ends with the
 * process that started it, even if that process is killed, because its input then ends. Each input
 * line is a question for the {@link Probe}; the answer is printed as lines, followed by an empty
 * line.
 */
public final class Role {
  private Role() {}

  /** Takes the main class of the role, followed by its arguments. */
  public static void main(String[] arguments) throws ReflectiveOperationException {
    InputStream questions = System.in;
    PrintStream answers = System.out;
    // The output of the role must not be mistaken for an answer.
    System.setOut(System.err);
    Thread watch = new Thread(() -> serve(questions, answers), "parent-watch");
    watch.setDaemon(true);
    watch.start();
    String[] rest = List.of(arguments).subList(1, arguments.length).toArray(new String[0]);
    Class.forName(arguments[0]).getMethod("main", String[].class).invoke(null, (Object) rest);
  }

  private static void serve(InputStream questions, PrintStream answers) {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(questions, StandardCharsets.UTF_8))) {
      String line = lines.readLine();
      while (line != null) {
        Probe.answer(line).forEach(answers::println);
        answers.println();
        answers.flush();
        line = lines.readLine();
      }
    } catch (IOException e) {
      System.err.println("cannot read from the process that started this one: " + e);
    } finally {
      end();
    }
  }

  /** Ends immediately: a parent that wants an orderly end has already sent a signal. */
  private static void end() {
    String folder = System.getProperty("lazuli.cluster.folder");
    if (folder != null) {
      Leftovers.remove(folder);
    }
    Runtime.getRuntime().halt(0);
  }
}
