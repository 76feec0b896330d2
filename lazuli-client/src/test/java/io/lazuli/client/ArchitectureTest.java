package io.lazuli.client;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Checks the dependencies between packages: no cycles, the layers, and nothing of the server. */
class ArchitectureTest {
  private static final int PACKAGE_TYPES_MAX = 30;

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.lazuli.client");

  @Test
  void packagesHaveNoCycles() {
    slices().matching("io.lazuli.client.(**)").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void nothingDependsOnTheServer() {
    noClasses()
        .should()
        .dependOnClassesThat(
            resideInAPackage("io.lazuli..").and(resideInAPackage("io.lazuli.client..").negate()))
        .check(CLASSES);
  }

  @Test
  void entitiesDependOnNothingAndQueriesNotOnTables() {
    classes()
        .that()
        .resideInAPackage("io.lazuli.client.entity")
        .should()
        .onlyDependOnClassesThat(
            resideInAPackage("io.lazuli.client..")
                .negate()
                .or(resideInAPackage("io.lazuli.client.entity")))
        .check(CLASSES);
    noClasses()
        .that()
        .resideInAPackage("io.lazuli.client.query")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.lazuli.client.table")
        .check(CLASSES);
  }

  /** A package with more types is hard to understand. Exceptions are listed with a reason. */
  @Test
  void noPackageHasMoreThanThirtyTypes() {
    Map<String, String> reasons =
        Map.of(
            "io.lazuli.client.entity",
            "the interface makes mappings, which read the annotations and implement the interface",
            "io.lazuli.client.pattern.outbox",
            "the public types share rows, versions and messages, which no other package may see");
    Map<String, Integer> large =
        CLASSES.stream()
            .filter(type -> type.isTopLevelClass() && !type.getSimpleName().equals("package-info"))
            .collect(
                Collectors.toMap(JavaClass::getPackageName, type -> 1, Integer::sum, TreeMap::new));
    large.values().removeIf(types -> types <= PACKAGE_TYPES_MAX);
    assertThat(large.keySet()).isEqualTo(reasons.keySet());
  }

  @Test
  void everyWaitHasABound() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.lazuli.client.waiting")
        .should()
        .callMethod(Mono.class, "block")
        .orShould()
        .callMethod(Mono.class, "blockOptional")
        .orShould()
        .callMethod(Flux.class, "blockFirst")
        .orShould()
        .callMethod(Flux.class, "blockLast")
        .orShould()
        .callMethod(Flux.class, "toIterable")
        .orShould()
        .callMethod(Flux.class, "toIterable", int.class)
        .orShould()
        .callMethod(Flux.class, "toStream")
        .orShould()
        .callMethod(Flux.class, "toStream", int.class)
        .orShould()
        .callMethod(CompletableFuture.class, "join")
        .orShould()
        .callMethod(CompletableFuture.class, "get")
        .because("an answer that is dropped would never arrive: use Waiting")
        .check(CLASSES);
  }
}
