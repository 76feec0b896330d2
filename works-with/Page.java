import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/**
 * Writes docs/works-with.md from the results in target/works-with, or prints the result of one run.
 *
 * <p>Usage: {@code java works-with/Page.java HOME [CLIENT SERVER]}. With a client and a server, the
 * exit code is 1 if Lazuli failed a step.
 */
public final class Page {
  private static final List<String> SERVERS = List.of("lazuli", "azurite");
  private static final Pattern TAP = Pattern.compile("(not )?ok(?: \\d+)? - (.*)");
  private static final Pattern TITLE = Pattern.compile("(?m)^title='(.*)'$");
  private static final Pattern WHAT = Pattern.compile("(?m)^what='(.*)'$");
  private static final Pattern KNOWN = Pattern.compile("(?m)^# known: (\\S+): (.*)$");
  private static final Pattern WROTE =
      Pattern.compile("\"(?:PUT|POST|MERGE|PATCH) \\S+ HTTP/1\\.1\" 20[0-9]");
  private static final Pattern READ = Pattern.compile("\"GET \\S+ HTTP/1\\.1\" 20[06]");
  private static final Pattern NOT_OFFERED =
      Pattern.compile("\"([A-Z]+) \\S*?(?:[?&](comp=[a-z]+))?[^ ]* HTTP/1\\.1\" 501");

  /** A step that failed, and the last words of the client about it or the reason that is known. */
  private record Failure(String step, String reason, boolean known) {}

  /** What one client did with one server. */
  private record Run(
      String version,
      int passed,
      int skipped,
      List<Failure> failures,
      boolean counts,
      boolean ended,
      Set<String> notOffered,
      String missing) {
    /** Returns the cell of the table. */
    String cell() {
      if (!missing.isEmpty()) {
        return missing;
      }
      int all = passed + failures.size();
      String text = passed + " of " + all + (skipped == 0 ? "" : ", " + skipped + " skipped");
      text += ended ? "" : "; was cut off";
      return counts ? text : text + "; does not count: no data was written and read";
    }
  }

  private Page() {}

  /** Runs the program. */
  public static void main(String[] args) throws Exception {
    Path home = Path.of(args[0]);
    if (args.length == 3) {
      String file = Files.readString(home.resolve("works-with/clients/" + args[1]));
      Path target = Path.of(System.getenv("target"));
      Run run = read(target.resolve("results/" + args[1] + "/" + args[2]), file);
      System.out.printf("%-24s %-8s %s%n", args[1], args[2], run.cell());
      run.failures.forEach(f -> System.out.println("    " + f.step + ": " + f.reason));
      run.notOffered.forEach(o -> System.out.println("    answered with 501: " + o));
      boolean failed = run.failures.stream().anyMatch(failure -> !failure.known) || !run.counts || !run.ended;
      boolean ours = args[2].equals("lazuli") && failed;
      System.exit(ours ? 1 : 0);
    }
    write(home);
  }

  private static void write(Path home) throws Exception {
    Path page = home.resolve("docs/works-with.md");
    List<String> old = Files.exists(page) ? Files.readAllLines(page) : List.of();
    List<String> rows = new ArrayList<>();
    List<String> failures = new ArrayList<>();
    for (Path file : clients(home)) {
      String text = Files.readString(file);
      String name = file.getFileName().toString();
      String link = "| [" + find(TITLE, text) + "](../works-with/clients/" + name + ") |";
      Path results = home.resolve("target/works-with/results/" + name);
      if (Files.exists(results.resolve("lazuli")) && !isRunning(results)) {
        rows.add(row(link, text, results));
        failures.addAll(failures(text, results));
      } else {
        old.stream().filter(line -> line.startsWith(link)).forEach(rows::add);
        String failure = "| " + find(TITLE, text) + " |";
        old.stream().filter(line -> line.startsWith(failure)).forEach(failures::add);
      }
    }
    Files.writeString(page, head() + String.join("\n", rows) + "\n" + middle() + lines(failures));
    System.out.println("docs/works-with.md has " + rows.size() + " clients");
  }

  /** Returns whether another command runs the client at this moment; its row then stays as it is. */
  private static boolean isRunning(Path results) {
    return SERVERS.stream().anyMatch(server -> Files.exists(results.resolve(server + "/running")));
  }

  private static String lines(List<String> failures) {
    return failures.isEmpty() ? "" : String.join("\n", failures) + "\n";
  }

  private static List<Path> clients(Path home) throws IOException {
    try (Stream<Path> files = Files.list(home.resolve("works-with/clients"))) {
      return files.filter(f -> !f.getFileName().toString().contains(".")).sorted().toList();
    }
  }

  private static String row(String link, String client, Path results) throws Exception {
    Run lazuli = read(results.resolve("lazuli"), client);
    String azurite = read(results.resolve("azurite"), client).cell();
    String what = find(WHAT, client);
    return link + String.join(" | ", " " + lazuli.version, what, lazuli.cell(), azurite) + " |";
  }

  private static List<String> failures(String client, Path results) throws Exception {
    List<String> rows = new ArrayList<>();
    String title = find(TITLE, client);
    for (String server : SERVERS) {
      Run run = read(results.resolve(server), client);
      String name = server.equals("lazuli") ? "Lazuli" : "Azurite";
      int shown = 0;
      for (Failure failure : run.failures) {
        // A suite of hundreds of tests may fail on Azurite; the log has the rest.
        if (++shown > 6 && server.equals("azurite")) {
          rows.add(cells(title, name, (run.failures.size() - 6) + " more", ""));
          break;
        }
        rows.add(cells(title, name, failure.step, failure.reason));
      }
      if (server.equals("lazuli")) {
        for (String operation : run.notOffered) {
          rows.add(cells(title, name, "answered with 501", operation));
        }
      }
    }
    return rows;
  }

  private static String cells(String... cells) {
    return "| " + String.join(" | ", cells) + " |";
  }

  private static String head() {
    return """
        # Works with

        Clients of other people, run against Lazuli and against Azurite. `./lazuli works-with` writes this page;
        `./lazuli works-with NAME` runs one client again and replaces its row. The link is the client's file: it shows how to
        configure the client, and what ran. A client counts only if it wrote and read data. If it has published tests that run
        against an account, they ran; otherwise a script does what its users do. The numbers are steps or tests that passed. A
        restart is always a `kill -9`.

        The command installs what is missing: Debian packages (as root, with apt), npm packages and Maven artifacts below
        `target/works-with`, which also has the log of each run. A client that cannot be installed is marked as not run.

        | client | version | what ran | Lazuli | Azurite 3.37.0 |
        | --- | --- | --- | --- | --- |
        """;
  }

  private static String middle() {
    return """

        ## What failed

        The reason if it is known, otherwise the last words of the client; for Azurite at most six. *Answered with 501* lists
        operations that Lazuli does not offer yet ([coverage.md](coverage.md)).

        | client | server | step | reason |
        | --- | --- | --- | --- |
        """;
  }

  // ---- results

  private static Run read(Path folder, String client) throws Exception {
    if (!Files.exists(folder) || Files.exists(folder.resolve("missing"))) {
      String why = Files.exists(folder) ? ": " + text(folder.resolve("missing")).strip() : "";
      return new Run("", 0, 0, List.of(), false, true, Set.of(), "not run" + why);
    }
    int[] passed = new int[1];
    int[] skipped = new int[1];
    List<Failure> failures = new ArrayList<>();
    readTap(text(folder.resolve("steps.txt")), passed, failures);
    readTap(text(folder.resolve("node.tap")), passed, failures);
    try (Stream<Path> reports = Files.walk(folder.resolve("junit"))) {
      for (Path report : reports.filter(f -> f.toString().endsWith(".xml")).sorted().toList()) {
        readJUnit(report, passed, skipped, failures);
      }
    }
    failures.replaceAll(failure -> explained(failure, client));
    String log = text(folder.resolve("access.log")) + text(folder.resolve("started"));
    boolean counts = WROTE.matcher(log).find() && READ.matcher(log).find();
    Set<String> notOffered = new TreeSet<>();
    NOT_OFFERED
        .matcher(log)
        .results()
        .forEach(m -> notOffered.add(m.group(1) + (m.group(2) == null ? "" : " " + m.group(2))));
    String version = text(folder.resolve("version")).strip();
    boolean ended = Files.exists(folder.resolve("ended"));
    return new Run(version, passed[0], skipped[0], failures, counts, ended, notOffered, "");
  }

  /** Replaces the words of the client by the reason that the client's file gives for the step. */
  private static Failure explained(Failure failure, String client) {
    Matcher m = KNOWN.matcher(client);
    while (m.find()) {
      if (failure.step.contains(m.group(1))) {
        return new Failure(failure.step, m.group(2), true);
      }
    }
    return failure;
  }

  private static void readTap(String text, int[] passed, List<Failure> failures) {
    List<String> lines = text.lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      Matcher m = TAP.matcher(lines.get(i));
      if (m.matches() && m.group(1) == null) {
        passed[0]++;
      } else if (m.matches()) {
        failures.add(new Failure(words(m.group(2)), words(reason(lines, i + 1)), false));
      }
    }
  }

  /** Returns the comment or the error of the YAML block after a line {@code not ok}. */
  private static String reason(List<String> lines, int from) {
    for (int i = from; i < lines.size() && !TAP.matcher(lines.get(i)).matches(); i++) {
      String line = lines.get(i).strip();
      if (line.startsWith("# ")) {
        return line.substring(2);
      }
      if (line.startsWith("error: |")) {
        return lines.get(i + 1).strip();
      }
      if (line.startsWith("error: ")) {
        return line.substring(7);
      }
    }
    return "";
  }

  private static void readJUnit(Path file, int[] passed, int[] skipped, List<Failure> failures)
      throws Exception {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
    NodeList cases =
        factory.newDocumentBuilder().parse(file.toFile()).getElementsByTagName("testcase");
    for (int i = 0; i < cases.getLength(); i++) {
      Element test = (Element) cases.item(i);
      Element problem = child(test, "failure", "error");
      if (problem != null) {
        String type = test.getAttribute("classname").replaceAll(".*[.$]", "");
        String why = problem.getAttribute("message");
        failures.add(
            new Failure(
                words(type + "." + test.getAttribute("name")),
                words(why.isBlank() ? problem.getAttribute("type") : why),
                false));
      } else if (child(test, "skipped") != null) {
        skipped[0]++;
      } else {
        passed[0]++;
      }
    }
  }

  private static Element child(Element parent, String... names) {
    for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Element element && List.of(names).contains(element.getTagName())) {
        return element;
      }
    }
    return null;
  }

  /** Makes a short text for a cell, without what differs from run to run. */
  private static String words(String text) {
    String line = text.lines().map(String::strip).filter(l -> !l.isEmpty()).findFirst().orElse("");
    line =
        line.replaceAll("\u001b\\[[0-9;]*m", "")
            .replaceAll("\\S*/target/works-with/\\S*?/(?=[^/\\s]*(\\s|$))", "…/")
            .replaceAll("127\\.0\\.0\\.1:\\d+", "HOST")
            .replaceAll("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "ID")
            .replaceAll("\\d{4}[-/]\\d\\d[-/]\\d\\d[T ]\\d\\d:\\d\\d:\\d\\d\\S*", "TIME")
            .replaceAll("sig=[^&\\s]*", "sig=…")
            .replace("|", "\\|")
            .replace("<", "&lt;")
            .replace('`', '\'');
    return line.length() <= 180 ? line : line.substring(0, 180) + "…";
  }

  private static String text(Path file) throws IOException {
    return Files.exists(file) ? Files.readString(file) : "";
  }

  private static String find(Pattern pattern, String text) {
    Matcher m = pattern.matcher(text);
    if (!m.find()) {
      throw new IllegalStateException(
          String.format(Locale.ROOT, "a client's file has no line %s", pattern));
    }
    return m.group(1);
  }
}
