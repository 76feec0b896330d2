package io.lazuli.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The Debian package in systems that have nothing but the packages that it depends on: without
 * systemd, where the command of the unit is run by hand, and with systemd as the first process.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DebIT {
  private static final Map<String, String> TOOLS =
      Map.of("PATH", "/usr/sbin:/usr/bin:/sbin:/bin", "HOME", "/");
  private static final Path DEB = Dist.FOLDER.resolve(Dist.DEB);
  private static final String NEWER = "newer.deb";
  private static final String CONFIGURATION = "/etc/lazuli/lazuli.properties";
  private static final String[] ALL = {"blob", "queue", "table"};

  /**
   * What Debian's own tools leave, such as logs and the previous state of databases, and files that
   * the next start of the system removes.
   */
  private static final Pattern TRACES =
      Pattern.compile(
          "/etc/(passwd|group|shadow|gshadow|subuid|subgid)-|/etc/\\.pwd\\.lock"
              + "|/var/lib/dpkg/.*-old|/var/log/.*|/var/cache/.*|/run/.*|/tmp/.*");

  private static Path shared;
  private static Path packages;
  private static List<String> dependencies;

  /** A system without systemd. */
  private static Path plain;

  @TempDir private Path folder;

  @BeforeAll
  static void makeSystem() throws Exception {
    requireTools("dpkg-deb", "mmdebstrap");
    // Not a temporary folder, because its cleanup warns about every link of the system.
    shared = Path.of("target", "deb").toAbsolutePath();
    Dist.run(TOOLS, "rm", "-rf", shared.toString());
    packages = Files.createDirectories(shared.resolve("packages"));
    Files.copy(DEB, packages.resolve(Dist.DEB));
    makeNewerPackage();
    dependencies =
        Stream.of(Dist.run(TOOLS, "dpkg-deb", "--field", DEB.toString(), "Depends").split(", ", -1))
            .map(part -> part.strip().replaceAll(" .*", ""))
            .toList();
    plain = makeSystem("plain", List.of());
  }

  private static void requireTools(String... tools) throws Exception {
    String obstacle = Container.obstacle(tools);
    if (!obstacle.isEmpty()) {
      System.err.println("CASES OF THE DEBIAN PACKAGE DID NOT RUN: " + obstacle);
    }
    assumeTrue(obstacle.isEmpty(), obstacle);
  }

  private static Path makeSystem(String name, List<String> others) throws Exception {
    List<String> included = new ArrayList<>(dependencies);
    included.addAll(others);
    return Container.makeDebian(shared.resolve(name), included);
  }

  private static void makeNewerPackage() throws Exception {
    Path parts = shared.resolve("newer");
    Dist.run(TOOLS, "dpkg-deb", "--raw-extract", DEB.toString(), parts.toString());
    Path control = parts.resolve("DEBIAN/control");
    Files.writeString(
        control, Files.readString(control).replaceFirst("\nVersion: .*", "\nVersion: 999"));
    String newer = packages.resolve(NEWER).toString();
    Dist.run(TOOLS, "dpkg-deb", "-Znone", "--root-owner-group", "-b", parts.toString(), newer);
  }

  @Test
  void whatTheSdksWriteSurvivesAKillAndAnUpgrade() throws Exception {
    try (Container container = Container.idle(plain, folder, packages)) {
      Set<String> before = files(container);
      container.run("dpkg", "--install", "/data/" + Dist.DEB);
      try (RunningServer server = serve(container)) {
        container.write(server.connectionString(), ALL);
      }
      container.run("sh", "-c", "echo 'table-port = 10099' >>" + CONFIGURATION);
      container.run("dpkg", "--install", "/data/" + NEWER);
      try (RunningServer server = serve(container)) {
        assertThat(server.address("table")).contains(":10099/");
        container.read(server.connectionString(), ALL);
      }
      container.run("dpkg", "--remove", "lazuli");
      assertThat(files(container)).contains(CONFIGURATION, "/var/lib/lazuli/FORMAT");
      container.run("dpkg", "--purge", "lazuli");
      Set<String> left = files(container);
      left.removeAll(before);
      assertThat(left)
          .contains("/var/lib/lazuli/FORMAT")
          .allMatch(file -> file.startsWith("/var/lib/lazuli"));
      assertThat(container.run("id", "lazuli")).contains("(lazuli)");
    }
  }

  @Test
  void aPackageThatWasNeverUsedLeavesNothing() throws Exception {
    try (Container container = Container.idle(plain, folder, packages)) {
      Set<String> before = files(container);
      container.run("dpkg", "--install", "/data/" + Dist.DEB);
      assertThat(container.run("stat", "-c", "%U %a", "/var/lib/lazuli", "/etc/lazuli"))
          .isEqualTo("lazuli 700\nroot 750\n");
      container.run("dpkg", "--purge", "lazuli");
      Set<String> left = files(container);
      left.removeAll(before);
      assertThat(left).isEmpty();
    }
  }

  @Test
  void systemdStartsRestartsUpgradesAndStopsTheService() throws Exception {
    requireTools("systemd-nspawn");
    Path root = makeSystem("with-systemd", List.of("systemd-sysv", "sudo"));
    try (Container machine = Container.boot(root, packages)) {
      machine.run("dpkg", "--install", "/data/" + Dist.DEB);
      assertThat(machine.run("systemctl", "is-active", "lazuli")).isEqualTo("active\n");
      assertThat(machine.run("systemctl", "is-enabled", "lazuli")).isEqualTo("enabled\n");
      machine.write(RoundTrip.developmentAccount(), ALL);
      machine.run("systemctl", "kill", "--signal=KILL", "lazuli");
      machine.run(
          "sh",
          "-c",
          "until [ \"$(systemctl show -P NRestarts lazuli)\" = 1 ] && systemctl -q is-active lazuli;"
              + " do sleep 0.1; done");
      String account = "sudo -u lazuli lazuli account add contoso --config " + CONFIGURATION;
      assertThat(machine.run(account.split(" ", -1))).contains("AccountName=contoso;");
      machine.run("dpkg", "--install", "/data/" + NEWER);
      assertThat(machine.run("systemctl", "is-active", "lazuli")).isEqualTo("active\n");
      machine.read(RoundTrip.developmentAccount(), ALL);
      assertThat(machine.run("systemd-analyze", "verify", "lazuli.service")).isEmpty();
      assertThat(machine.run("systemd-analyze", "security", "--threshold=20", "lazuli.service"))
          .contains("Overall exposure level");
      machine.run("dpkg", "--remove", "lazuli");
      assertThat(machine.exec("systemctl", "--quiet", "is-active", "lazuli")).isNotZero();
      assertThat(machine.run("journalctl", "--no-pager", "--unit=lazuli"))
          .contains("accounts  contoso", "Deactivated successfully")
          .doesNotContain("systemd was not notified");
      machine.run("dpkg", "--purge", "lazuli");
      assertThat(machine.run("ls", "/var/lib/lazuli")).contains("FORMAT\n", "accounts\n");
    }
  }

  @Test
  void thePackageHasTheFilesOfTheArchive() throws Exception {
    Path home = Dist.unpack(Dist.WITH_JAVA, folder);
    Path root = folder.resolve("package");
    Dist.run(TOOLS, "dpkg-deb", "--extract", DEB.toString(), root.toString());
    try (Stream<Path> parts = Files.list(home)) {
      for (Path part : parts.toList()) {
        String name = part.getFileName().toString();
        boolean isProgram = name.matches("java|lib|lazuli|azurite.*");
        Path folder = root.resolve(isProgram ? "usr/lib/lazuli" : "usr/share/doc/lazuli");
        if (!name.endsWith(".cmd") && !name.equals("LICENSE")) {
          Dist.run(TOOLS, "diff", "-r", part.toString(), folder.resolve(name).toString());
        }
      }
    }
  }

  /** The number after the second version of glibc, which all numbers so far begin with. */
  @Test
  void thePackageNamesTheGlibcThatItsNativeCodeNeeds() throws Exception {
    Path home = Dist.unpack(Dist.WITH_JAVA, folder);
    TreeSet<Integer> needed = new TreeSet<>();
    try (Stream<Path> files = Files.walk(home.resolve("java"))) {
      for (Path file : files.filter(one -> one.toString().matches(".*(/bin/.*|\\.so)")).toList()) {
        needed.addAll(glibc(Files.readAllBytes(file)));
      }
    }
    try (JarFile jar = new JarFile(home.resolve("lib/lazuli.jar").toFile());
        InputStream rocksdb = jar.getInputStream(jar.getEntry("librocksdbjni-linux64.so"))) {
      needed.addAll(glibc(rocksdb.readAllBytes()));
    }
    assertThat(Dist.run(TOOLS, "dpkg-deb", "--field", DEB.toString(), "Depends"))
        .contains("libc6 (>= 2." + needed.last() + ")");
  }

  private static List<Integer> glibc(byte[] code) {
    return Pattern.compile("GLIBC_2\\.(\\d+)")
        .matcher(new String(code, StandardCharsets.ISO_8859_1))
        .results()
        .map((MatchResult found) -> Integer.valueOf(found.group(1)))
        .toList();
  }

  @Test
  void debiansChecksFindNothing() throws Exception {
    requireTools("lintian");
    Dist.run(TOOLS, "lintian", "--allow-root", "--fail-on=error,warning", DEB.toString());
  }

  /** Runs the command of the unit as systemd does, as far as that is possible without systemd. */
  private static RunningServer serve(Container container) throws Exception {
    String unit = container.run("cat", "/usr/lib/systemd/system/lazuli.service");
    String state = setting(unit, "StateDirectory");
    assertThat(container.run("stat", "-c", "%U %a", "/var/lib/" + state))
        .isEqualTo(setting(unit, "User") + " 700\n");
    List<String> command = new ArrayList<>(List.of("sh", "-c"));
    command.add(
        "umask $1; cd $2; user=$3 group=$4; shift 4;"
            + " exec setpriv --reuid=$user --regid=$group --clear-groups --no-new-privs"
            + " --bounding-set=-all \"$@\"");
    command.add("unit");
    for (String name : List.of("UMask", "WorkingDirectory", "User", "Group")) {
      command.add(setting(unit, name));
    }
    command.addAll(List.of(setting(unit, "ExecStart").split(" ", -1)));
    ProcessBuilder builder = container.command(command.toArray(String[]::new));
    return RunningServer.await(builder.redirectErrorStream(true).start());
  }

  private static String setting(String unit, String name) {
    return unit.lines()
        .filter(line -> line.startsWith(name + "="))
        .map(line -> line.substring(name.length() + 1))
        .findFirst()
        .orElseThrow();
  }

  private static Set<String> files(Container container) throws Exception {
    Set<String> files = new TreeSet<>();
    for (String file : container.run("find", "/", "-xdev").split("\n", -1)) {
      if (!TRACES.matcher(file).matches()) {
        files.add(file);
      }
    }
    return files;
  }
}
