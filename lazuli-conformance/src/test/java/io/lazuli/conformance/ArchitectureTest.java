package io.lazuli.conformance;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks the packages of the suite: which may use which, and which service their cases test. */
class ArchitectureTest {
  private static final String ROOT = "io.lazuli.conformance";
  private static final long TYPES_PER_PACKAGE_MAX = 30;

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(ROOT);

  @Test
  void packagesHaveNoCycles() {
    slices().matching("io.lazuli.(**)").should().beFreeOfCycles().check(CLASSES);
  }

  /** A package, and the packages below {@code io.lazuli.conformance} that it may use. */
  @ParameterizedTest
  @CsvSource({
    "wire,''",
    "support,''",
    "runner,wire",
    "table,wire",
    "table.rest,table wire support",
    "table.sdk,table wire support",
    "table.stress,table wire support",
    "queue,wire",
    "queue.rest,queue wire support",
    "queue.sdk,queue wire support",
    "queue.stress,queue wire support",
    "blob,wire",
    "blob.rest,blob wire support",
    "blob.sdk,blob wire support",
    "blob.tags,blob wire support",
    "blob.switched,blob wire support",
    "blob.stress,blob wire support",
    "host,table queue blob wire",
    "log,support",
  })
  void aPackageUsesOnlyThePackagesBelowIt(String name, String below) {
    String[] usable =
        Stream.concat(
                Stream.of(ROOT),
                Arrays.stream((name + " " + below).strip().split(" ", -1))
                    .map(each -> ROOT + "." + each))
            .toArray(String[]::new);
    noClasses()
        .that()
        .resideInAPackage(ROOT + "." + name)
        .should()
        .dependOnClassesThat(resideInAPackage(ROOT + "..").and(resideInAnyPackage(usable).negate()))
        .check(CLASSES);
  }

  @ParameterizedTest
  @CsvSource({"table, TABLE", "queue, QUEUE", "blob, BLOB"})
  void theCasesOfAPackageTestItsService(String name, StorageService service) {
    assertThat(CLASSES)
        .filteredOn(type -> type.getPackageName().startsWith(ROOT + "." + name + "."))
        .filteredOn(type -> type.isAnnotatedWith(Covers.class))
        .isNotEmpty()
        .allMatch(type -> type.getAnnotationOfType(Covers.class).service() == service);
  }

  @Test
  void allCasesAreInPackagesOfCases() {
    classes()
        .that()
        .haveSimpleNameEndingWith("ConformanceTest")
        .should()
        .resideInAnyPackage(
            "..table.rest",
            "..table.sdk",
            "..table.stress",
            "..queue.rest",
            "..queue.sdk",
            "..queue.stress",
            "..blob.rest",
            "..blob.tags",
            "..blob.switched",
            "..blob.sdk",
            "..blob.stress",
            "..host",
            "..log")
        .check(CLASSES);
  }

  @Test
  void noPackageHasTooManyTypes() {
    Map<String, Long> types =
        CLASSES.stream()
            .filter(JavaClass::isTopLevelClass)
            .collect(groupingBy(JavaClass::getPackageName, counting()));
    assertThat(types)
        .allSatisfy((name, count) -> assertThat(count).isLessThanOrEqualTo(TYPES_PER_PACKAGE_MAX));
  }
}
