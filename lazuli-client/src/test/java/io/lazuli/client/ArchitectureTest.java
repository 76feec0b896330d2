package io.lazuli.client;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Checks the dependencies between packages: no cycles, the layers, and nothing of the server. */
class ArchitectureTest {
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
