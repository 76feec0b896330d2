package io.lazuli.server;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.lazuli.server.account.AccountKey;
import io.lazuli.server.catalog.Metadata;
import io.lazuli.server.error.Futures;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Ticks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks the dependencies between packages: no cycles, the layers, and services that do not know
 * each other.
 */
class ArchitectureTest {
  private static final String ROOT = "io.lazuli.server";
  private static final String LAYERS = "```layers\n";
  private static final int PACKAGE_TYPES_MAX = 30;

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          // The tests of lazuli-storage, which are packed in the phase package.
          .withImportOption(location -> !location.contains("-tests.jar"))
          .importPackages("io.lazuli");

  /**
   * Any class that computes a signature could compare it. Only the comparison in constant time may
   * be used for requests.
   */
  @Test
  void signaturesAreComparedInConstantTime() {
    JavaClass comparing = CLASSES.get(ROOT + ".auth.Signature");
    Set<String> signing =
        CLASSES.get(AccountKey.class).getMethod("sign", byte[].class).getAccessesToSelf().stream()
            .map(access -> access.getOriginOwner().getSimpleName())
            .collect(Collectors.toSet());
    // BlobHttp signs the requests that it sends, DelegationKey derives keys; they compare nothing.
    assertThat(signing)
        .containsExactlyInAnyOrder(
            "Signature", "NearMisses", "SignatureExplainer", "BlobHttp", "DelegationKey");
    assertThat(comparing.getMethodCallsFromSelf())
        .anyMatch(call -> call.getTarget().getFullName().contains("MessageDigest.isEqual("));
  }

  @Test
  void thereAreNoPackageCycles() {
    slices().matching("io.lazuli.(**)").should().beFreeOfCycles().check(CLASSES);
  }

  /** Returns the lines of docs/architecture.md: a package, and the packages that it may use. */
  static Map<String, List<String>> layers() throws IOException {
    String document = Files.readString(Path.of("..", "docs", "architecture.md"));
    int begin = document.indexOf(LAYERS) + LAYERS.length();
    Map<String, List<String>> layers = new LinkedHashMap<>();
    for (String line : document.substring(begin, document.indexOf("```", begin)).split("\n", -1)) {
      if (!line.isBlank()) {
        String[] sides = line.split("→", -1);
        String below = sides[1].strip();
        List<String> names = below.isEmpty() ? List.of() : List.of(below.split(" ", -1));
        assertThat(layers.put(sides[0].strip(), names)).describedAs(line).isNull();
      }
    }
    return layers;
  }

  static Stream<Arguments> layersWithPackagesBelow() throws IOException {
    return layers().entrySet().stream().map(line -> Arguments.of(line.getKey(), line.getValue()));
  }

  /** A package may always use itself. */
  @ParameterizedTest
  @MethodSource("layersWithPackagesBelow")
  void aLayerUsesOnlyLayersBelowIt(String layer, List<String> below) {
    DescribedPredicate<JavaClass> usable = membersOf(layer);
    for (String name : below) {
      usable = usable.or(membersOf(name));
    }
    DescribedPredicate<JavaClass> ours = resideInAPackage("io.lazuli..");
    noClasses()
        .that()
        .resideInAPackage(ROOT + "." + layer)
        .should()
        .dependOnClassesThat(ours.and(DescribedPredicate.not(usable)))
        .check(CLASSES);
  }

  /** If the document permits more than the code uses, it does not describe the code. */
  @ParameterizedTest
  @MethodSource("layersWithPackagesBelow")
  void aLayerUsesEverythingThatItMayUse(String layer, List<String> below) throws IOException {
    Set<JavaClass> used =
        CLASSES.stream()
            .filter(membersOf(layer))
            .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
            .map(dependency -> dependency.getTargetClass())
            .collect(Collectors.toSet());
    String imports = imports(layer);
    assertThat(below)
        .allMatch(
            name ->
                imports.contains("import " + ROOT + "." + name + ".")
                    || used.stream().anyMatch(membersOf(name)));
  }

  /**
   * Returns the imports. The sources contain the types of local variables; the class files do not.
   */
  private static String imports(String layer) throws IOException {
    Path folder = Path.of("src/main/java", (ROOT + "." + layer).split("\\.", -1));
    StringBuilder imports = new StringBuilder();
    try (Stream<Path> sources = Files.list(folder)) {
      for (Path source : sources.filter(Files::isRegularFile).toList()) {
        imports.append(Files.readString(source));
      }
    }
    return imports.toString();
  }

  /** The root package and the command line assemble the server, so they may use everything. */
  @Test
  void everyPackageBelongsToALayer() throws IOException {
    Set<String> places = new TreeSet<>(Set.of(ROOT, ROOT + ".cli"));
    layers().keySet().forEach(layer -> places.add(ROOT + "." + layer));
    assertThat(sizes().keySet())
        .filteredOn(name -> name.startsWith(ROOT))
        .containsExactlyInAnyOrderElementsOf(places);
  }

  /** A package with more types is hard to understand. Exceptions are listed with a reason. */
  @Test
  void noPackageHasMoreThanThirtyTypes() {
    Map<String, String> reasons =
        Map.of(
            "io.lazuli.storage",
            "the interface between server and engines: an engine or a service needs nearly all");
    Map<String, Integer> large = new TreeMap<>(sizes());
    large.values().removeIf(types -> types <= PACKAGE_TYPES_MAX);
    assertThat(large.keySet()).isEqualTo(reasons.keySet());
  }

  /** Returns the number of top-level types of each package. */
  private static Map<String, Integer> sizes() {
    return CLASSES.stream()
        .filter(type -> type.isTopLevelClass() && !type.getSimpleName().equals("package-info"))
        .collect(
            Collectors.toMap(JavaClass::getPackageName, type -> 1, Integer::sum, TreeMap::new));
  }

  @ParameterizedTest
  @ValueSource(strings = {"table", "queue", "blob"})
  void servicesDoNotUseEachOther(String service) {
    List<String> others = new ArrayList<>(List.of("table", "queue", "blob"));
    others.remove(service);
    noClasses()
        .that()
        .resideInAPackage(ROOT + "." + service + "..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(ROOT + "." + others.get(0) + "..", ROOT + "." + others.get(1) + "..")
        .allowEmptyShould(true)
        .check(CLASSES);
  }

  @Test
  void onlyThePackagesOfListenersAndCallsUseVertxAndNetty() {
    noClasses()
        .that()
        .resideOutsideOfPackages(ROOT + ".http", ROOT + ".outbound")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.vertx..", "io.netty..")
        .check(CLASSES);
  }

  /**
   * A thread that waits for the engine is lost for other requests. {@code Futures.await} is the one
   * place that waits for a future, and only background threads and commands may call it. {@code
   * Futures} also reads futures that are complete.
   */
  @Test
  void noRequestWaitsForAFuture() {
    assertThat(callers(CompletableFuture.class, Set.of("join", "get")))
        .containsExactlyInAnyOrder("Futures", "EventLoops", "Listener");
    assertThat(callers(Futures.class, Set.of("await")))
        .containsExactlyInAnyOrder(
            "AccountDrops",
            "AzuriteImport",
            "BlobCheck",
            "BlobCollector",
            "BlobGarbage",
            "CapacityWalk",
            "CatalogCheck",
            "CatalogNames",
            "ChunkLengths",
            "ChunkUse",
            "ChunkWalk",
            "ChunkCopies",
            "DueRemovals",
            "EngineEnds",
            "ItemCopy",
            "ItemRestore",
            "LogBlobs",
            "MetricsTables",
            "NameWalk",
            "OwnTables",
            "PageCheck",
            "PageSweep",
            "PendingCopyIndex",
            "QueueCheck",
            "QueueStates",
            "QueueSweeper",
            "RecordRepair",
            "ServerPartitions",
            "ServerStore",
            "SizeWalk",
            "SpaceWalk",
            "StrayCheck",
            "SignatureExplainer",
            "Tables",
            "UploadSweep");
  }

  /** Returns the names of the server's top-level classes that call or refer to a method. */
  private static Set<String> callers(Class<?> owner, Set<String> methods) {
    return CLASSES.stream()
        .filter(type -> type.getPackageName().startsWith(ROOT))
        .filter(
            type ->
                type.getCodeUnitAccessesFromSelf().stream()
                    .anyMatch(
                        access ->
                            access.getTargetOwner().isEquivalentTo(owner)
                                && methods.contains(access.getTarget().getName())))
        .map(type -> type.getName().replaceAll("\\$.*", "").replaceAll(".*\\.", ""))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static DescribedPredicate<JavaClass> membersOf(String layer) {
    return switch (layer) {
      case "storage" -> resideInAPackage("io.lazuli.storage");
      case "storage.entity" -> resideInAPackage("io.lazuli.storage.entity");
      case "storage.metrics" -> resideInAPackage("io.lazuli.storage.metrics");
      case "storage.segment" -> resideInAPackage("io.lazuli.storage.segment");
      case "storage.work" -> resideInAPackage("io.lazuli.storage.work");
      case "storage.thread" -> resideInAPackage("io.lazuli.storage.thread");
      case "storage.time" -> type(Deadline.class).or(type(Ticks.class));
      case "catalog.metadata" -> type(Metadata.class);
      case "storage.values" -> type(Bytes.class).or(type(Ticks.class));
      default -> resideInAPackage(ROOT + "." + layer);
    };
  }
}
