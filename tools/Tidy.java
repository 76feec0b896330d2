import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MemberReferenceTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Checks those rules of the house style (docs/style.md) that no other tool checks: banned calls,
 * leftover marks, dead links in Markdown, citations of sections, documents and tests that do not
 * exist, large files, and methods that grow past 70 lines. Checks all files that Git tracks or
 * would add. Prints each finding; the exit code is 1 if there is one.
 *
 * <p>Usage: {@code java tools/Tidy.java [--self-test] <root>}. The self-test plants one fault of
 * each kind in a temporary folder. It fails unless the check finds all of them and nothing else.
 */
public final class Tidy {
  private static final long FILE_BYTES_MAX = 500 << 10;

  /**
   * A ratchet: no method can grow past the limit unnoticed, but a rare method that is long for a
   * reason may stay.
   */
  private static final int METHOD_LINES_MAX = 70;

  private static final int METHOD_LINES_RATCHET = 75;

  /** In two parts, so that this file does not find itself. */
  private static final String MARK = "FIX" + "ME";

  private static final Pattern CODE_NAME =
      Pattern.compile(
          ".*\\.(java|js|ts|css|html|xml|sh|cmd|py|properties|yml|yaml)|lazuli|run|score-card");

  private static final Pattern LINK =
      Pattern.compile("!?\\[[^\\]]*\\]\\(<?([^)\\s>]+)>?(?:\\s+\"[^\"]*\")?\\)");
  private static final Pattern LINK_DEFINITION = Pattern.compile("^ {0,3}\\[[^\\]]+\\]:\\s+(\\S+)");
  private static final Pattern INLINE_CODE = Pattern.compile("(`+)(?!`).*?(?<!`)\\1(?!`)");
  private static final Pattern SCHEME = Pattern.compile("^[a-zA-Z][a-zA-Z0-9+.-]*:.*");

  /** White space, also with the end of a line, the mark of a comment, or joined strings. */
  private static final String GAP =
      "(?:[ \\t]+|[ \\t]*\\R[ \\t]*(?:\\*|//|#|>)?[ \\t]*|[ \\t]*\"\\s*\\+\\s*\"[ \\t]*)";

  /** Design notes that a reader does not have; docs/architecture.md has headings, no numbers. */
  private static final Pattern DESIGN_DOCUMENT =
      Pattern.compile(
          ("(?<![\\w./-])((?:architecture|scale-out|stack|style)(?:\\.md)?GAP\\d+(?:\\.\\d+)*"
                  + "|theGAP(?:stack|design)GAPnotes?)(?![\\w%])")
              .replace("GAP", GAP));

  private static final Pattern DECISION =
      Pattern.compile("\\b[Dd]ecisionGAP(\\d{4})\\b".replace("GAP", GAP));
  private static final Pattern DOCUMENT = Pattern.compile("(?<![\\w./-])docs/[\\w/-]+\\.md\\b");
  private static final String DECISIONS = "docs/decisions";

  /**
   * A test class in the code of a document, perhaps with a method. {@code XTest} and {@code
   * ConformanceTest} stand for any class.
   */
  private static final Pattern TEST_NAME =
      Pattern.compile(
          "(?<![\\w*])(?!X[A-Z]|ConformanceTest)([A-Z][A-Za-z0-9]*(?:Test|IT))"
              + "(?:[.#]([a-z]\\w*))?(?!\\w)");

  private static final Set<String> READERS_WITH_DEFAULT_CHARSET =
      Set.of("String", "FileReader", "FileWriter", "InputStreamReader", "OutputStreamWriter");

  private final Path root;
  private final Set<String> findings = new TreeSet<>();

  private Tidy(Path root) {
    this.root = root;
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    List<String> left = new ArrayList<>(Arrays.asList(args));
    if (left.remove("--self-test")) {
      SelfTest.run();
    }
    if (left.size() > 1) {
      throw new IllegalArgumentException("usage: java tools/Tidy.java [--self-test] <root>");
    }
    for (String root : left) {
      Set<String> findings = check(Path.of(root));
      findings.forEach(System.out::println);
      if (!findings.isEmpty()) {
        System.out.println("tidy: " + findings.size() + " findings");
        System.exit(1);
      }
    }
  }

  /** Returns all findings under a folder, sorted. */
  private static Set<String> check(Path folder) throws IOException, InterruptedException {
    Tidy tidy = new Tidy(folder.toAbsolutePath().normalize());
    List<Path> files = tidy.files();
    Specification specification = Specification.read(tidy.root.resolve("docs/spec"));
    Map<String, Path> classes = classes(files);
    for (Path file : files) {
      tidy.checkSize(file);
      String name = file.getFileName().toString();
      if (name.endsWith(".md")) {
        tidy.checkLinks(file);
        tidy.checkTests(file, classes);
        tidy.checkCitations(file, specification);
      } else if (CODE_NAME.matcher(name).matches()) {
        tidy.checkMarks(file);
        tidy.checkCitations(file, specification);
      }
    }
    tidy.checkJava(files.stream().filter(file -> file.toString().endsWith(".java")).toList());
    return tidy.findings;
  }

  private static Map<String, Path> classes(List<Path> files) {
    Map<String, Path> classes = new TreeMap<>();
    for (Path file : files) {
      String name = file.getFileName().toString();
      if (name.endsWith(".java")) {
        classes.put(name.substring(0, name.length() - ".java".length()), file);
      }
    }
    return classes;
  }

  /** Reports tests that a document names and that do not exist. */
  private void checkTests(Path file, Map<String, Path> classes) throws IOException {
    List<String> lines = lines(file);
    for (int i = 0; i < lines.size(); i++) {
      Matcher code = INLINE_CODE.matcher(lines.get(i));
      while (code.find()) {
        Matcher test = TEST_NAME.matcher(code.group());
        while (test.find()) {
          Path source = classes.get(test.group(1));
          String method = test.group(2);
          if (source == null || (method != null && !text(source).contains(" " + method + "("))) {
            report(file, i + 1, "no such test: " + test.group());
          }
        }
      }
    }
  }

  private void checkSize(Path file) throws IOException {
    long bytes = Files.size(file);
    if (bytes > FILE_BYTES_MAX) {
      report(file, 1, "file of " + (bytes >> 10) + " KiB; the limit is 500");
    }
  }

  private void checkMarks(Path file) throws IOException {
    List<String> lines = lines(file);
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).contains(MARK)) {
        report(file, i + 1, "leftover " + MARK);
      }
    }
  }

  private void checkLinks(Path file) throws IOException {
    List<String> lines = lines(file);
    boolean fenced = false;
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      if (line.stripLeading().startsWith("```") || line.stripLeading().startsWith("~~~")) {
        fenced = !fenced;
      } else if (!fenced) {
        checkLinks(file, i + 1, INLINE_CODE.matcher(line).replaceAll(""));
      }
    }
  }

  private void checkLinks(Path file, int number, String line) {
    for (Pattern pattern : List.of(LINK, LINK_DEFINITION)) {
      Matcher link = pattern.matcher(line);
      while (link.find()) {
        String target = link.group(1).replaceFirst("[#?].*", "");
        if (!target.isEmpty() && !SCHEME.matcher(target).matches() && !linksToFile(file, target)) {
          report(file, number, "dead link: " + target);
        }
      }
    }
  }

  private boolean linksToFile(Path file, String target) {
    String path = URLDecoder.decode(target.replace("+", "%2B"), StandardCharsets.UTF_8);
    Path from = path.startsWith("/") ? root : file.getParent();
    Path to = from.resolve(path.replaceFirst("^/+", "")).normalize();
    return to.startsWith(root) && Files.exists(to);
  }

  private void checkCitations(Path file, Specification specification) throws IOException {
    String text = text(file);
    if (!relative(file).equals("tools/Tidy.java")) {
      checkDocuments(file, text);
    }
    checkNumber(file);
    specification
        .unknownSections(text)
        .forEach((at, what) -> report(file, line(text, at), "no such section: " + what));
    String name = file.getFileName().toString().replaceFirst("\\.md$", "");
    if (file.getParent().endsWith("docs/spec") && specification.has(name)) {
      specification
          .unknownOwnSections(name, text)
          .forEach((at, what) -> report(file, line(text, at), "no such section: " + what));
    }
  }

  /**
   * Reports citations of decisions and documents that are not in the repository. The self-test
   * below has some on purpose.
   */
  private void checkDocuments(Path file, String text) throws IOException {
    Matcher design = DESIGN_DOCUMENT.matcher(text);
    while (design.find()) {
      report(
          file,
          line(text, design.start()),
          "not in the repository: " + design.group(1).replaceAll("\s+", " "));
    }
    Matcher decision = DECISION.matcher(text);
    while (decision.find()) {
      if (!hasDecision(decision.group(1))) {
        report(file, line(text, decision.start()), "no such decision: " + decision.group(1));
      }
    }
    Matcher document = DOCUMENT.matcher(text);
    while (document.find()) {
      if (!Files.exists(root.resolve(document.group()))) {
        report(file, line(text, document.start()), "no such document: " + document.group());
      }
    }
  }

  private boolean hasDecision(String number) throws IOException {
    return decisions(number) > 0;
  }

  /** Reports decisions with the same number: a citation would not say which one it means. */
  private void checkNumber(Path file) throws IOException {
    String name = file.getFileName().toString();
    if (file.getParent().endsWith(DECISIONS)
        && name.matches("\\d{4}-.*")
        && decisions(name.substring(0, 4)) > 1) {
      report(file, 1, "several decisions have the number " + name.substring(0, 4));
    }
  }

  private long decisions(String number) throws IOException {
    Path folder = root.resolve(DECISIONS);
    if (!Files.isDirectory(folder)) {
      return 0;
    }
    try (Stream<Path> records = Files.list(folder)) {
      return records
          .filter(each -> each.getFileName().toString().startsWith(number + "-"))
          .count();
    }
  }

  private void checkJava(List<Path> files) throws IOException {
    if (files.isEmpty()) {
      return;
    }
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager manager =
        compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
      JavacTask task =
          (JavacTask)
              compiler.getTask(
                  null,
                  manager,
                  broken -> {},
                  List.of("-proc:none"),
                  null,
                  manager.getJavaFileObjectsFromPaths(files));
      SourcePositions positions = Trees.instance(task).getSourcePositions();
      for (CompilationUnitTree unit : task.parse()) {
        new JavaFile(Path.of(unit.getSourceFile().toUri()), unit, positions).scan(unit, null);
      }
    }
  }

  private void report(Path file, long line, String what) {
    findings.add(relative(file) + ":" + line + ": " + what);
  }

  private String relative(Path file) {
    return root.relativize(file).toString().replace('\\', '/');
  }

  private static List<String> lines(Path file) throws IOException {
    return text(file).lines().toList();
  }

  private static String text(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
  }

  /** The number of the line that holds a position of a text. */
  private static long line(String text, int at) {
    return 1 + text.chars().limit(at).filter(c -> c == '\n').count();
  }

  /** Returns the files that Git tracks or would add; without Git, all but build output. */
  private List<Path> files() throws IOException, InterruptedException {
    if (!Files.exists(root.resolve(".git"))) {
      return walk();
    }
    Process git =
        new ProcessBuilder("git", "ls-files", "-z", "-co", "--exclude-standard")
            .directory(root.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String names;
    try (InputStream out = git.getInputStream()) {
      names = new String(out.readAllBytes(), StandardCharsets.UTF_8);
    }
    if (git.waitFor() != 0) {
      throw new IOException("git ls-files failed");
    }
    return Arrays.stream(names.split("\0"))
        .filter(name -> !name.isEmpty())
        .map(root::resolve)
        .filter(Files::isRegularFile)
        .toList();
  }

  private List<Path> walk() throws IOException {
    Set<String> skipped = Set.of("target", "node_modules", ".git");
    List<Path> files = new ArrayList<>();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            return skipped.contains(folder.getFileName().toString())
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            files.add(file);
            return FileVisitResult.CONTINUE;
          }
        });
    return files;
  }

  /**
   * The sections of the documents in docs/spec. A citation is the name of a document and one or
   * more sections, such as {@code table-rest 14, step 5}; it may be broken over two lines of a
   * comment.
   */
  private static final class Specification {
    private static final Pattern HEADING =
        Pattern.compile("^#{2,4} (\\d+(?:\\.\\d+)*)\\.?(?= )", Pattern.MULTILINE);
    private static final Pattern ITEM = Pattern.compile("^(\\d+)\\. ");
    private static final Pattern ROW = Pattern.compile("^\\| ([A-Z]\\d+) \\|");

    private static final String SECTION = "§?[A-Z]?\\d+(?:\\.\\d+)*(?![\\w%]|,\\d)";
    private static final Pattern ONE_SECTION = Pattern.compile("[A-Z]?\\d+(?:\\.\\d+)*");
    private static final Pattern OWN_SECTION = Pattern.compile("§ ?(\\d+(?:\\.\\d+)*)");

    /** By document: sections such as 4.1, rows such as T8, and items such as "14 step 5". */
    private final Map<String, Set<String>> sections;

    private final Pattern citation;

    private Specification(Map<String, Set<String>> sections) {
      this.sections = sections;
      String names = sections.isEmpty() ? "(?!)" : String.join("|", sections.keySet());
      this.citation =
          Pattern.compile(
              ("(?<![\\w.$-])(?<name>NAMES)(?:\\.md)?[`)\\]]{0,2},?GAP(?:sections?GAP)?"
                      + "(?<list>SECTION(?:(?:,|,?GAP(?:and|or|to)|–)(?:GAP)?SECTION)*)"
                      + "(?:,?GAP(?:step|rule|item)GAP(?<item>\\d+))?")
                  .replace("NAMES", names)
                  .replace("GAP", GAP)
                  .replace("SECTION", SECTION));
    }

    static Specification read(Path folder) throws IOException {
      Map<String, Set<String>> sections = new TreeMap<>();
      if (Files.isDirectory(folder)) {
        try (Stream<Path> documents = Files.list(folder)) {
          for (Path document : documents.filter(file -> file.toString().endsWith(".md")).toList()) {
            sections.put(
                document.getFileName().toString().replaceFirst("\\.md$", ""),
                sections(lines(document)));
          }
        }
      }
      sections.remove("README");
      return new Specification(sections);
    }

    private static Set<String> sections(List<String> lines) {
      Set<String> sections = new TreeSet<>();
      String current = "";
      for (String line : lines) {
        Matcher heading = HEADING.matcher(line);
        Matcher item = ITEM.matcher(line);
        Matcher row = ROW.matcher(line);
        if (heading.find()) {
          current = heading.group(1);
          sections.add(current);
        } else if (item.find()) {
          sections.add(current + "." + item.group(1));
          sections.add(current + " item " + item.group(1));
        } else if (row.find()) {
          sections.add(row.group(1));
        }
      }
      return sections;
    }

    boolean has(String document) {
      return sections.containsKey(document);
    }

    /** Returns the citations of unknown sections, by their positions in the text. */
    Map<Integer, String> unknownSections(String text) {
      Map<Integer, String> unknown = new TreeMap<>();
      Matcher found = citation.matcher(text);
      while (found.find()) {
        String name = found.group("name");
        Set<String> known = sections.get(name);
        String last = "";
        Matcher each = ONE_SECTION.matcher(found.group("list"));
        while (each.find()) {
          last = each.group();
          if (!known.contains(last)) {
            unknown.put(found.start("list") + each.start(), name + " " + last);
          }
        }
        String item = found.group("item");
        if (item != null && known.contains(last) && !known.contains(last + " item " + item)) {
          unknown.put(found.start("item"), name + " " + last + ", item " + item);
        }
      }
      return unknown;
    }

    /** Returns a document's references to unknown sections of itself, by their positions. */
    Map<Integer, String> unknownOwnSections(String document, String text) {
      Map<Integer, String> unknown = new TreeMap<>();
      Matcher found = OWN_SECTION.matcher(text);
      while (found.find()) {
        if (!sections.get(document).contains(found.group(1))) {
          unknown.put(found.start(), document + " " + found.group(1));
        }
      }
      return unknown;
    }
  }

  /** Checks one parsed source file, so that text in comments and strings does not count. */
  private final class JavaFile extends TreeScanner<Void, Void> {
    private final Path file;
    private final CompilationUnitTree unit;
    private final SourcePositions positions;
    private final boolean mayPrint;
    private final boolean isTest;

    JavaFile(Path file, CompilationUnitTree unit, SourcePositions positions) {
      this.file = file;
      this.unit = unit;
      this.positions = positions;
      String path = relative(file);
      this.isTest = path.contains("src/test/");
      this.mayPrint =
          !path.contains("src/main/")
              || path.contains("/io/lazuli/server/cli/")
              || path.matches("(lazuli-benchmarks|lazuli-cluster|lazuli-conformance|examples)/.*");
    }

    @Override
    public Void visitMethod(MethodTree method, Void nothing) {
      LineMap map = unit.getLineMap();
      long first = map.getLineNumber(positions.getStartPosition(unit, method));
      long lines = map.getLineNumber(positions.getEndPosition(unit, method)) - first + 1;
      if (lines > METHOD_LINES_MAX && lines <= METHOD_LINES_RATCHET) {
        report(method, "method of " + lines + " lines; the limit is 70");
      }
      return super.visitMethod(method, nothing);
    }

    @Override
    public Void visitMemberSelect(MemberSelectTree select, Void nothing) {
      checkMember(select, select.getExpression(), select.getIdentifier().toString());
      return super.visitMemberSelect(select, nothing);
    }

    @Override
    public Void visitMemberReference(MemberReferenceTree reference, Void nothing) {
      String name = reference.getName().toString();
      checkMember(reference, reference.getQualifierExpression(), name);
      if (name.equals("getBytes")) {
        report(reference, "default charset: name the charset");
      }
      return super.visitMemberReference(reference, nothing);
    }

    @Override
    public Void visitMethodInvocation(MethodInvocationTree call, Void nothing) {
      if (call.getMethodSelect() instanceof MemberSelectTree select
          && select.getIdentifier().contentEquals("getBytes")
          && call.getArguments().isEmpty()) {
        report(call, "default charset: name the charset");
      }
      return super.visitMethodInvocation(call, nothing);
    }

    @Override
    public Void visitNewClass(NewClassTree created, Void nothing) {
      String type = created.getIdentifier().toString().replaceFirst(".*\\.", "");
      if (READERS_WITH_DEFAULT_CHARSET.contains(type) && created.getArguments().size() == 1) {
        report(created, "default charset: name the charset");
      }
      return super.visitNewClass(created, nothing);
    }

    private void checkMember(Tree at, ExpressionTree owner, String name) {
      String type = owner.toString().replaceFirst("^java\\.lang\\.", "");
      if (!mayPrint && type.equals("System") && name.equals("out")) {
        report(at, "System.out in main code");
      }
      if (isTest && name.equals("sleep") && type.matches("Thread|(.*\\.)?TimeUnit(\\..*)?")) {
        report(at, "sleep in a test: wait for the condition instead");
      }
    }

    private void report(Tree at, String what) {
      long line = unit.getLineMap().getLineNumber(positions.getStartPosition(unit, at));
      Tidy.this.report(file, line, what);
    }
  }

  /** Plants faults, and text that only looks like a fault. */
  private static final class SelfTest {
    private final Path folder;
    private final Set<String> expected = new TreeSet<>();

    private SelfTest(Path folder) {
      this.folder = folder;
    }

    static void run() throws IOException, InterruptedException {
      Path folder = Files.createTempDirectory("tidy");
      try {
        SelfTest test = new SelfTest(folder.toRealPath());
        test.plantCalls();
        test.plantMethods();
        test.plantText();
        test.plantCitations();
        test.plantDocuments();
        Set<String> found = check(test.folder);
        if (!found.equals(test.expected)) {
          throw new AssertionError("found " + found + "\nexpected " + test.expected);
        }
      } finally {
        remove(folder);
      }
    }

    private void plantCalls() throws IOException {
      String print = "class A {\n  void a() {\n    System.out.println();\n  }\n}\n";
      plant("lazuli-server/src/main/java/io/lazuli/server/A.java", print);
      plant("lazuli-server/src/main/java/io/lazuli/server/cli/A.java", print);
      plant("lazuli-benchmarks/src/main/java/A.java", print);
      plant("m/src/test/java/P.java", print);
      expect("lazuli-server/src/main/java/io/lazuli/server/A.java:3: System.out in main code");

      String sleep =
          "class S {\n  void s() throws Exception {\n    Thread.sleep(1);\n"
              + "    java.util.concurrent.TimeUnit.SECONDS.sleep(1);\n  }\n"
              + "  String text = \"Thread.sleep(1)\"; // Thread.sleep(1)\n}\n";
      plant("m/src/test/java/S.java", sleep);
      plant("m/src/main/java/S.java", sleep);
      expect("m/src/test/java/S.java:3: sleep in a test: wait for the condition instead");
      expect("m/src/test/java/S.java:4: sleep in a test: wait for the condition instead");

      plant(
          "m/src/main/java/C.java",
          "class C {\n"
              + "  Object[] bad(byte[] b, java.util.function.Function<String, byte[]> f) throws"
              + " Exception {\n"
              + "    f = String::getBytes;\n"
              + "    return new Object[] {\n"
              + "      new String(b),\n"
              + "      \"\".getBytes(),\n"
              + "      new java.io.FileReader(\"\"),\n"
              + "      new String(b, java.nio.charset.StandardCharsets.UTF_8)\n"
              + "    };\n"
              + "  }\n"
              + "}\n");
      for (int line : new int[] {3, 5, 6, 7}) {
        expect("m/src/main/java/C.java:" + line + ": default charset: name the charset");
      }
    }

    private void plantMethods() throws IOException {
      for (int lines : new int[] {70, 71, 75, 76}) {
        String body = "    // line\n".repeat(lines - 2);
        plant(
            "m/src/main/java/M" + lines + ".java", "class M {\n  void m() {\n" + body + "  }\n}\n");
      }
      expect("m/src/main/java/M71.java:2: method of 71 lines; the limit is 70");
      expect("m/src/main/java/M75.java:2: method of 75 lines; the limit is 70");
    }

    private void plantText() throws IOException {
      plant("m/F.xml", "<a>\n<!-- " + MARK + " -->\n</a>\n");
      expect("m/F.xml:2: leftover " + MARK);
      plant("large.txt", "x".repeat((int) FILE_BYTES_MAX + 1));
      plant("not so large.txt", "x".repeat((int) FILE_BYTES_MAX));
      expect("large.txt:1: file of 500 KiB; the limit is 500");
      plant(
          "docs/d.md",
          MARK
              + " may be mentioned.\n"
              + "[here](d.md#part) [there](../large.txt) [root](/docs/d.md)\n"
              + "[space](../not%20so%20large.txt) [web](https://example.invalid/x) [top](#top)\n"
              + "`[code](nowhere.md)`\n"
              + "```\n"
              + "[code](nowhere.md)\n"
              + "```\n"
              + "[dead](nowhere.md)\n"
              + "![dead](no.png \"title\")\n"
              + "[ref]: nowhere.md\n"
              + "[out](../../x)\n");
      expect("docs/d.md:8: dead link: nowhere.md");
      expect("docs/d.md:9: dead link: no.png");
      expect("docs/d.md:10: dead link: nowhere.md");
      expect("docs/d.md:11: dead link: ../../x");
      plant(
          "docs/tests.md",
          "`S` and `STest`, `ATest.good`, `ATest#bad`, `NoIT`, NoTest, `XTest`, `*FuzzTest`\n");
      plant("m/src/test/java/ATest.java", "class ATest {\n  void good() {}\n}\n");
      expect("docs/tests.md:1: no such test: STest");
      expect("docs/tests.md:1: no such test: ATest#bad");
      expect("docs/tests.md:1: no such test: NoIT");
      plant("target/generated.md", "[build output](is not checked)\n");
    }

    private void plantCitations() throws IOException {
      plant(
          "docs/spec/wire.md",
          "## 1. Model\n### 1.1 Keys\n1. one\n2. two\n| T8 | a row |\n§1.1 and §9 here\n");
      plant("docs/spec/README.md", "## 7. Not a document that is cited\n");
      expect("docs/spec/wire.md:6: no such section: wire 9");
      plant(
          "m/src/main/java/Cited.java",
          "/** Of wire 1.1, rule 2 and wire.md 1, 1.1 and T8; a wire\n"
              + " * 1.1.2 is a list item. */\n"
              + "class Cited {\n"
              + "  // see wire\n"
              + "  // 4.1\n"
              + "  String evidence = \"wire 1, \" + \"1.3: text\";\n"
              + "  // wire 1.1, rule 3; wire 1, 1,000 rows\n"
              + "}\n");
      expect("m/src/main/java/Cited.java:5: no such section: wire 4.1");
      expect("m/src/main/java/Cited.java:6: no such section: wire 1.3");
      expect("m/src/main/java/Cited.java:7: no such section: wire 1.1, item 3");
      plant("docs/cites.md", "Text (`wire` 1) and [wire](spec/wire.md) T9.\n");
      expect("docs/cites.md:1: no such section: wire T9");
    }

    private void plantDocuments() throws IOException {
      plant("docs/decisions/0001-first.md", "# 0001 First\n");
      plant("docs/decisions/0003-third.md", "# 0003 Third\n");
      plant("docs/decisions/0003-other.md", "# 0003 Other\n");
      expect("docs/decisions/0003-third.md:1: several decisions have the number 0003");
      expect("docs/decisions/0003-other.md:1: several decisions have the number 0003");
      plant(
          "m/src/main/java/Cites.java",
          "/** See docs/decisions/0001-first.md, decision 0001, and docs/none.md. */\n"
              + "class Cites {\n"
              + "  // decision\n"
              + "  // 0002; as the stack notes say\n"
              + "  String evidence = \"wire 1; scale-out 4.1\"; // style: 2 spaces\n"
              + "}\n");
      expect("m/src/main/java/Cites.java:1: no such document: docs/none.md");
      expect("m/src/main/java/Cites.java:3: no such decision: 0002");
      expect("m/src/main/java/Cites.java:4: not in the repository: the stack notes");
      expect("m/src/main/java/Cites.java:5: not in the repository: scale-out 4.1");
    }

    private void plant(String name, String text) throws IOException {
      Path file = folder.resolve(name);
      Files.createDirectories(file.getParent());
      Files.writeString(file, text);
    }

    private void expect(String finding) {
      expected.add(finding);
    }

    private static void remove(Path folder) throws IOException {
      List<Path> all;
      try (var walk = Files.walk(folder)) {
        all = walk.sorted(Comparator.reverseOrder()).toList();
      }
      for (Path path : all) {
        Files.delete(path);
      }
    }
  }
}
