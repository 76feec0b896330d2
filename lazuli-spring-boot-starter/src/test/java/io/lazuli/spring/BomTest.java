package io.lazuli.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The BOM has no parent, so nothing else keeps it and the catalog for JBang equal to the build. */
class BomTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");
  private static final Pattern MANAGED =
      Pattern.compile(
          "<groupId>io\\.lazuli</groupId>\\s*<artifactId>([^<]+)</artifactId>\\s*<version>\\$\\{project\\.version}");
  private static final Pattern VERSION = Pattern.compile("<version>([^<]+)</version>");

  private static String pom(String module) throws IOException {
    return Files.readString(ROOT.resolve(module).resolve("pom.xml"));
  }

  private static List<String> all(Pattern pattern, String text) {
    List<String> found = new ArrayList<>();
    Matcher matcher = pattern.matcher(text);
    while (matcher.find()) {
      found.add(matcher.group(1));
    }
    return found;
  }

  private static String property(String name) throws IOException {
    return all(Pattern.compile("<" + name + ">([^<]+)<"), pom(".")).get(0);
  }

  @Test
  void theBomListsEveryPublishedModule() throws IOException {
    Set<String> published = new TreeSet<>();
    for (String module : all(MODULE, pom("."))) {
      String pom = pom(module);
      if (!pom.contains("<maven.deploy.skip>true</maven.deploy.skip>")
          && !pom.contains("<packaging>pom</packaging>")) {
        published.add(module);
      }
    }
    assertThat(new TreeSet<>(all(MANAGED, pom("lazuli-bom")))).isEqualTo(published);
  }

  @Test
  void theBomHasTheVersionOfTheBuild() throws IOException {
    assertThat(all(VERSION, pom("lazuli-bom")).get(0)).isEqualTo(all(VERSION, pom(".")).get(0));
  }

  @Test
  void theCatalogForJBangStartsTheServerOfTheBuild() throws IOException {
    String catalog = Files.readString(ROOT.resolve("jbang-catalog.json"));
    String version = all(VERSION, pom(".")).get(0);
    assertThat(catalog)
        .contains("\"io.lazuli:lazuli-server:" + version + "\"")
        .contains("\"info.picocli:picocli:" + property("picocli.version") + "\"")
        .contains("\"ch.qos.logback:logback-classic:" + property("logback.version") + "\"");
    String main = all(Pattern.compile("\"main\": \"([^\"]+)\""), catalog).get(0);
    assertThat(ROOT.resolve("lazuli-server/src/main/java/" + main.replace('.', '/') + ".java"))
        .exists();
  }
}
