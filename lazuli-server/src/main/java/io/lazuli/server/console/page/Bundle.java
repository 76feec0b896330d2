package io.lazuli.server.console.page;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Joins the modules that the first view needs into one file, and the style sheets into another, so
 * that a browser sends few requests before it shows something. Each module becomes a function that
 * returns its exports. Modules that are loaded later take what they import out of the joined file,
 * so that every module still exists once. The sources use few forms of import and export; any other
 * form is refused.
 */
final class Bundle {
  private static final String APP = "js/app.js";
  private static final String FIRST = "js/first.js";
  private static final String STYLES = "css/first.css";
  private static final String INDEX = "index.html";

  /** What the first view loads; the last one starts it. */
  private static final List<String> ENTRIES = List.of("js/chart.js", "js/views/overview.js", APP);

  private static final Pattern IMPORT =
      Pattern.compile("(?m)^import (?:\\{([^}]*)\\}|\\* as (\\w+)) from '([^']+)';$");
  private static final Pattern DYNAMIC_IMPORT = Pattern.compile("\\bimport\\('([^']+)'\\)");
  private static final Pattern EXPORT =
      Pattern.compile("(?m)^export (?=(?:async function|function|class|const) (\\w+))");
  private static final Pattern EXPORT_LIST = Pattern.compile("(?m)^export \\{([^}]*)\\};$");
  private static final Pattern OTHER = Pattern.compile("(?m)^(?:import\\b(?!\\()|export\\b).*$");
  private static final Pattern STYLE =
      Pattern.compile("<link rel=\"stylesheet\" href=\"%BASE%/(css/[^\"]+)\">\\R?");

  private final Map<String, String> sources = new TreeMap<>();

  /** The joined modules in the order in which they run, with the names that they export. */
  private final Map<String, List<String>> joined = new LinkedHashMap<>();

  /** The modules whose imports are being visited, each imported by the one before. */
  private final Set<String> visiting = new LinkedHashSet<>();

  private Bundle(Map<String, byte[]> files) {
    files.forEach(
        (name, bytes) -> {
          if (name.endsWith(".js")) {
            sources.put(name, new String(bytes, StandardCharsets.UTF_8));
          }
        });
  }

  /** Returns the files as they are served. Files without the console's modules stay as they are. */
  static Map<String, byte[]> of(Map<String, byte[]> files) {
    if (!files.keySet().containsAll(ENTRIES) || !files.containsKey(INDEX)) {
      return files;
    }
    Bundle bundle = new Bundle(files);
    ENTRIES.forEach(bundle::visit);
    Map<String, byte[]> served = new TreeMap<>(files);
    served.keySet().removeAll(bundle.joined.keySet());
    served.replaceAll(
        (name, bytes) -> name.endsWith(".js") ? bytes(bundle.rewritten(name)) : bytes);
    served.put(FIRST, bytes(bundle.text()));
    page(served);
    return served;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Replaces the style sheets and modules of the page by the joined ones. */
  private static void page(Map<String, byte[]> served) {
    String page = new String(served.get(INDEX), StandardCharsets.UTF_8);
    StringBuilder styles = new StringBuilder();
    for (MatchResult style : STYLE.matcher(page).results().toList()) {
      styles.append(new String(served.remove(style.group(1)), StandardCharsets.UTF_8)).append('\n');
    }
    served.put(STYLES, bytes(styles.toString()));
    String link = "<link rel=\"stylesheet\" href=\"%BASE%/" + STYLES + "\">\n";
    Matcher sheets = STYLE.matcher(page);
    StringBuilder out = new StringBuilder();
    for (boolean first = true; sheets.find(); first = false) {
      sheets.appendReplacement(out, first ? link : "");
    }
    page = sheets.appendTail(out).toString().replace("%BASE%/" + APP, "%BASE%/" + FIRST);
    served.put(INDEX, bytes(page));
  }

  private String source(String name) {
    String source = sources.get(name);
    if (source == null) {
      throw new IllegalStateException("the console has no file " + name);
    }
    return source;
  }

  /** Adds a module after those that it imports. */
  private void visit(String name) {
    String source = source(name);
    if (joined.containsKey(name)) {
      return;
    }
    if (!visiting.add(name)) {
      throw new IllegalStateException(
          "modules of the console import each other: "
              + String.join(" > ", visiting)
              + " > "
              + name);
    }
    IMPORT.matcher(source).results().forEach(found -> visit(resolved(name, found.group(3))));
    visiting.remove(name);
    joined.put(name, exported(source));
  }

  private static List<String> exported(String source) {
    List<String> names = new ArrayList<>();
    EXPORT.matcher(source).results().forEach(found -> names.add(found.group(1)));
    EXPORT_LIST
        .matcher(source)
        .results()
        .flatMap(found -> Stream.of(found.group(1).split(",", -1)))
        .map(String::strip)
        .filter(name -> !name.isEmpty())
        .forEach(names::add);
    return names;
  }

  private static String resolved(String from, String specifier) {
    return Path.of(from).resolveSibling(specifier).normalize().toString().replace('\\', '/');
  }

  private static String variable(String name) {
    return "m$"
        + name.substring("js/".length(), name.length() - ".js".length()).replaceAll("\\W", "_");
  }

  private String text() {
    StringBuilder out = new StringBuilder();
    joined.forEach(
        (name, exports) -> {
          String body = imports(name, source(name), true);
          body = EXPORT_LIST.matcher(EXPORT.matcher(body).replaceAll("")).replaceAll("");
          refuse(name, body);
          body = dynamicImports(name, body, FIRST, true);
          out.append("const ").append(variable(name)).append(" = (() => {\n").append(body);
          out.append("\nreturn { ").append(String.join(", ", exports)).append(" };\n})();\n");
        });
    String all = joined.keySet().stream().map(Bundle::variable).collect(Collectors.joining(", "));
    return out.append("export { ").append(all).append(" };\n").toString();
  }

  /** Returns a module that is loaded later, with imports of joined modules from the joined file. */
  private String rewritten(String name) {
    return dynamicImports(name, imports(name, source(name), false), name, false);
  }

  private String imports(String name, String source, boolean inside) {
    Set<String> fetched = new HashSet<>();
    return IMPORT
        .matcher(source)
        .replaceAll(
            found -> {
              String target = resolved(name, found.group(3));
              List<String> exports = joined.get(target);
              if (exports == null) {
                return Matcher.quoteReplacement(found.group());
              }
              String from = variable(target);
              String path = relative(name, FIRST);
              boolean isNew = !inside && fetched.add(from);
              String fetch = isNew ? "import { " + from + " } from '" + path + "'; " : "";
              String names =
                  found.group(1) == null ? found.group(2) : names(name, found.group(1), exports);
              return Matcher.quoteReplacement(fetch + "const " + names + " = " + from + ";");
            });
  }

  /** Returns imported names as a pattern that takes them out of an object. */
  private static String names(String importer, String list, List<String> exports) {
    List<String> out = new ArrayList<>();
    for (String one : list.split(",", -1)) {
      String[] words = one.strip().split(" as ", -1);
      if (one.isBlank()) {
        continue;
      }
      if (!exports.contains(words[0])) {
        throw new IllegalStateException(importer + " imports " + words[0] + ", which is not there");
      }
      out.add(words.length == 1 ? words[0] : words[0] + ": " + words[1]);
    }
    return "{ " + String.join(", ", out) + " }";
  }

  private String dynamicImports(String name, String source, String servedAs, boolean inside) {
    return DYNAMIC_IMPORT
        .matcher(source)
        .replaceAll(
            found -> {
              String target = resolved(name, found.group(1));
              String from = variable(target);
              String text =
                  !joined.containsKey(target)
                      ? "import('" + relative(servedAs, target) + "')"
                      : inside
                          ? "Promise.resolve(" + from + ")"
                          : "import('" + relative(name, FIRST) + "').then(m => m." + from + ")";
              return Matcher.quoteReplacement(text);
            });
  }

  private static String relative(String from, String to) {
    Path folder = Path.of(from).getParent();
    String path = (folder == null ? Path.of(to) : folder.relativize(Path.of(to))).toString();
    return path.startsWith("..") ? path.replace('\\', '/') : "./" + path.replace('\\', '/');
  }

  private static void refuse(String name, String body) {
    Matcher other = OTHER.matcher(body);
    if (other.find()) {
      throw new IllegalStateException(name + " has a form that is not known: " + other.group());
    }
  }
}
