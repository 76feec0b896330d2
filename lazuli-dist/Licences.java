import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/**
 * Collects the licences of everything that the archives contain. For each component of the given
 * lists of parts (CycloneDX, XML) it copies the licence and notice files of its jar. A jar without
 * such a file gets the texts of its licences; of several, one text is enough. A component without
 * a known licence stops the build.
 *
 * <p>Usage: {@code java Licences.java REPOSITORY TEXTS OUTPUT PARTS.xml…}, where REPOSITORY is the
 * local Maven repository and TEXTS a folder of files named after SPDX identifiers.
 */
public final class Licences {
  private static final Pattern LICENCE_FILE =
      Pattern.compile(
          "(META-INF/)?(license/)?[^/]*(LICEN[SC]E|NOTICE|COPYING)[^/]*", Pattern.CASE_INSENSITIVE);

  private record Component(String group, String name, String version, List<String> licences) {
    String title() {
      return name + "-" + version;
    }

    Path jar(Path repository) {
      return repository
          .resolve(group.replace('.', '/'))
          .resolve(name)
          .resolve(version)
          .resolve(title() + ".jar");
    }
  }

  private Licences() {}

  public static void main(String[] args) throws Exception {
    Path repository = Path.of(args[0]);
    Path texts = Path.of(args[1]);
    Path output = Path.of(args[2]);
    empty(output);
    Map<String, Component> components = new TreeMap<>();
    for (String parts : List.of(args).subList(3, args.length)) {
      for (Component component : read(Path.of(parts))) {
        components.put(component.group() + ":" + component.title(), component);
      }
    }
    StringBuilder list = new StringBuilder();
    for (Component component : components.values()) {
      list.append(component.group())
          .append(':')
          .append(component.name())
          .append(' ')
          .append(component.version())
          .append("  ")
          .append(String.join(" or ", component.licences()))
          .append('\n');
      Path folder = Files.createDirectories(output.resolve(component.title()));
      if (!copyFiles(component.jar(repository), folder)) {
        copyTexts(component, texts, folder);
      }
    }
    Files.writeString(output.resolve("LIST"), list);
  }

  private static void empty(Path folder) throws IOException {
    if (Files.isDirectory(folder)) {
      try (var files = Files.walk(folder)) {
        for (Path file : files.sorted(Collections.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
    Files.createDirectories(folder);
  }

  private static List<Component> read(Path parts) throws Exception {
    if (!Files.exists(parts)) {
      throw new IllegalStateException(parts + " is missing; Maven does not write it offline (-o)");
    }
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setNamespaceAware(true);
    Element root = factory.newDocumentBuilder().parse(parts.toFile()).getDocumentElement();
    List<Component> components = new ArrayList<>();
    for (Element list : children(root, "components")) {
      for (Element one : children(list, "component")) {
        String group = text(one, "group");
        // Ours have the licence of the archive.
        if (!group.equals("io.lazuli")) {
          components.add(
              new Component(group, text(one, "name"), text(one, "version"), licences(one)));
        }
      }
    }
    return components;
  }

  private static List<String> licences(Element component) {
    TreeSet<String> licences = new TreeSet<>();
    for (Element list : children(component, "licenses")) {
      for (Element one : children(list, "license")) {
        String id = text(one, "id");
        String name = id.isEmpty() ? text(one, "name") : id;
        licences.add(name);
      }
      children(list, "expression").forEach(one -> licences.add(one.getTextContent().strip()));
    }
    if (licences.isEmpty()) {
      throw new IllegalStateException(text(component, "purl") + " names no licence");
    }
    return List.copyOf(licences);
  }

  private static boolean copyFiles(Path jar, Path folder) throws IOException {
    boolean found = false;
    try (JarFile file = new JarFile(jar.toFile())) {
      for (JarEntry entry : Collections.list(file.entries())) {
        if (!entry.isDirectory() && LICENCE_FILE.matcher(entry.getName()).matches()) {
          String flat = entry.getName().replace("META-INF/", "").replace('/', '-');
          try (InputStream content = file.getInputStream(entry)) {
            Files.write(folder.resolve(flat), content.readAllBytes());
          }
          found |= !flat.toUpperCase(Locale.ROOT).contains("NOTICE");
        }
      }
    }
    return found;
  }

  private static void copyTexts(Component component, Path texts, Path folder) throws IOException {
    boolean found = false;
    for (String licence : component.licences()) {
      Path text = texts.resolve(licence + ".txt");
      if (Files.exists(text)) {
        Files.copy(text, folder.resolve(licence + ".txt"), StandardCopyOption.REPLACE_EXISTING);
        found = true;
      }
    }
    if (!found) {
      throw new IllegalStateException(
          component.title() + ": no text of " + component.licences() + " in " + texts);
    }
  }

  private static List<Element> children(Element parent, String name) {
    List<Element> found = new ArrayList<>();
    NodeList nodes = parent.getChildNodes();
    for (int i = 0; i < nodes.getLength(); i++) {
      Node node = nodes.item(i);
      if (node instanceof Element && name.equals(node.getLocalName())) {
        found.add((Element) node);
      }
    }
    return found;
  }

  private static String text(Element parent, String name) {
    List<Element> found = children(parent, name);
    return found.isEmpty() ? "" : found.get(0).getTextContent().strip();
  }
}
