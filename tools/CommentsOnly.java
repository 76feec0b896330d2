import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Checks that two revisions differ in comments only. Compares the tokens of every Java file that
 * changed between them and follows renames. Equal tokens compile to the same bytecode apart from
 * line numbers. Imports that only Javadoc uses come and go with it, so imports are left out.
 *
 * <p>Usage: {@code java tools/CommentsOnly.java <old revision> <new revision>}. Prints each file
 * whose code differs and ends with 1 if there is one.
 */
public final class CommentsOnly {
  private static final Pattern TOKEN =
      Pattern.compile(
          "(?<comment>//[^\\n]*|/\\*.*?\\*/)"
              + "|(?<import>^import [^;]*;)"
              + "|\"\"\"(?:[^\"\\\\]++|\\\\.|\"(?!\"\"))*+\"\"\""
              + "|\"(?:[^\"\\\\]++|\\\\.)*+\"|'(?:[^'\\\\]++|\\\\.)*+'"
              + "|[\\p{L}\\p{N}_$]+|\\S",
          Pattern.DOTALL | Pattern.MULTILINE);

  private CommentsOnly() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    if (args.length != 2) {
      throw new IllegalArgumentException(
          "usage: java tools/CommentsOnly.java <old revision> <new revision>");
    }
    int files = 0;
    int different = 0;
    String changes =
        git("diff", "--name-status", "-M", "--relative", args[0], args[1], "--", "*.java");
    for (String change : changes.lines().toList()) {
      String[] fields = change.split("\t");
      String before = fields[1];
      String after = fields[fields.length - 1];
      files++;
      boolean bothExist = fields[0].startsWith("M") || fields[0].startsWith("R");
      if (!bothExist || !code(args[0], before).equals(code(args[1], after))) {
        different++;
        System.out.println(change);
      }
    }
    System.out.println(files + " Java files changed, the code of " + different + " differs");
    System.exit(different == 0 ? 0 : 1);
  }

  private static List<String> code(String revision, String file)
      throws IOException, InterruptedException {
    List<String> tokens = new ArrayList<>();
    Matcher matcher = TOKEN.matcher(git("show", revision + ":./" + file));
    while (matcher.find()) {
      if (matcher.group("comment") == null && matcher.group("import") == null) {
        tokens.add(matcher.group());
      }
    }
    return tokens;
  }

  private static String git(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("git"));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(String.join(" ", command) + " failed");
    }
    return output;
  }
}
