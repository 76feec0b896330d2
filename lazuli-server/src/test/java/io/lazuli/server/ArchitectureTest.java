package io.lazuli.server;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
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
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Ticks;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may know whom: no cycles, the layers, and services that are strangers to each other. */
class ArchitectureTest {
  private static final String ROOT = "io.lazuli.server";

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.lazuli");

  /**
   * Whoever makes a signature could compare it; in requests only the one that takes constant time.
   */
  @Test
  void signaturesAreComparedInConstantTime() {
    JavaClass comparing = CLASSES.get(ROOT + ".auth.Signature");
    Set<String> signing =
        CLASSES.get(AccountKey.class).getMethod("sign", byte[].class).getAccessesToSelf().stream()
            .map(access -> access.getOriginOwner().getSimpleName())
            .collect(Collectors.toSet());
    assertThat(signing).containsExactlyInAnyOrder("Signature", "NearMisses", "SignatureExplainer");
    assertThat(comparing.getMethodCallsFromSelf())
        .anyMatch(call -> call.getTarget().getFullName().contains("MessageDigest.isEqual("));
  }

  @Test
  void noPackagesKnowEachOtherInACircle() {
    slices().matching("io.lazuli.(**)").should().beFreeOfCycles().check(CLASSES);
  }

  /**
   * A package and what of ours it may use; it may always use itself. Plans are key ranges of the
   * storage interface and predicates run over encoded records, so queries know both; JSON is
   * written straight from encoded records. {@code storage.time} is its clock's units alone, {@code
   * storage.values} bytes and ticks, {@code catalog.metadata} the type of that name.
   */
  @ParameterizedTest
  @CsvSource({
    "error,''",
    "config,account rehearsal storage",
    "admin,http rehearsal storage error",
    "engine,table.service queue.service queue.model blob.service blob.model settings catalog"
        + " throttle http config storage error",
    "event,''",
    "wire,error",
    "throttle,error",
    "rehearsal,''",
    "tls,''",
    "http,tls access event error",
    "catalog,storage error",
    "access,error",
    "watch,''",
    "account,catalog watch storage.time error",
    "protocol,http catalog.metadata storage.time event error",
    "settings,protocol http access catalog storage.time wire event error",
    "pipeline,settings protocol http access catalog throttle rehearsal storage.time event error",
    "auth,pipeline protocol http access account settings event error",
    "queue.model,storage.time error",
    "queue.encoding,queue.model storage error",
    "queue.service,queue.encoding queue.model catalog storage access throttle error",
    "queue.protocol,queue.service queue.model pipeline settings protocol storage.time http access catalog.metadata event wire error",
    "table.model,storage.time error",
    "table.query,table.encoding table.model storage error",
    "table.encoding,table.model storage error",
    "table.service,table.query table.encoding table.model catalog throttle rehearsal storage access"
        + " event error",
    "table.protocol,table.service table.query table.encoding table.model pipeline settings protocol storage.time"
        + " http access event wire error",
    "blob.model,storage.values error",
    "blob.encoding,blob.model storage error",
    "blob.request,blob.model storage.values error",
    "blob.partition,blob.encoding blob.request blob.model storage error",
    "blob.transaction,blob.partition blob.encoding blob.request blob.model storage error",
    "blob.garbage,blob.partition blob.encoding blob.model catalog storage error",
    "blob.service,blob.garbage blob.transaction blob.partition blob.encoding blob.request blob.model"
        + " catalog storage access event error",
    "requestlog,blob.service blob.request blob.model access catalog.metadata storage.time event error",
    "blob.protocol,blob.service blob.request blob.model pipeline settings protocol storage.time http access"
        + " catalog.metadata event wire error",
  })
  void aLayerUsesOnlyWhatIsBelowIt(String layer, String below) {
    DescribedPredicate<JavaClass> usable = membersOf(layer);
    for (String name : below.isEmpty() ? new String[0] : below.split(" ", -1)) {
      usable = usable.or(membersOf(name));
    }
    DescribedPredicate<JavaClass> ours = resideInAPackage("io.lazuli..");
    noClasses()
        .that()
        .resideInAPackage(ROOT + "." + layer)
        .should()
        .dependOnClassesThat(ours.and(DescribedPredicate.not(usable)))
        .allowEmptyShould(true)
        .check(CLASSES);
  }

  @Test
  void everyPackageHasItsPlaceInTheLayers() {
    classes()
        .that()
        .resideInAPackage(ROOT + "..")
        .should()
        .resideInAnyPackage(
            ROOT,
            ROOT + ".cli",
            ROOT + ".config",
            ROOT + ".admin",
            ROOT + ".engine",
            ROOT + ".junit",
            ROOT + ".migration",
            ROOT + ".error",
            ROOT + ".event",
            ROOT + ".wire",
            ROOT + ".throttle",
            ROOT + ".rehearsal",
            ROOT + ".tls",
            ROOT + ".watch",
            ROOT + ".http",
            ROOT + ".pipeline",
            ROOT + ".catalog",
            ROOT + ".access",
            ROOT + ".account",
            ROOT + ".settings",
            ROOT + ".auth",
            ROOT + ".protocol",
            ROOT + ".requestlog",
            ROOT + ".queue.*",
            ROOT + ".table.*",
            ROOT + ".blob.*")
        .check(CLASSES);
  }

  @ParameterizedTest
  @ValueSource(strings = {"table", "queue", "blob"})
  void servicesAreStrangersToEachOther(String service) {
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
  void onlyThePackageWithTheListenerKnowsVertxAndNetty() {
    noClasses()
        .that()
        .resideOutsideOfPackage(ROOT + ".http")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.vertx..", "io.netty..")
        .check(CLASSES);
  }

  private static DescribedPredicate<JavaClass> membersOf(String layer) {
    return switch (layer) {
      case "storage" -> resideInAPackage("io.lazuli.storage");
      case "storage.time" -> type(Deadline.class).or(type(Ticks.class));
      case "catalog.metadata" -> type(Metadata.class);
      case "storage.values" -> type(Bytes.class).or(type(Ticks.class));
      default -> resideInAPackage(ROOT + "." + layer);
    };
  }
}
