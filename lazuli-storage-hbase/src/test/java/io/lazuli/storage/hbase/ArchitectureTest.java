package io.lazuli.storage.hbase;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which package of the engine may use which. */
class ArchitectureTest {
  private static final String ROOT = "io.lazuli.storage.hbase";
  private static final long TYPES_PER_PACKAGE_MAX = 30;

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(ROOT);

  @Test
  void packagesHaveNoCycles() {
    slices().matching("io.lazuli.storage.(**)").should().beFreeOfCycles().check(CLASSES);
  }

  /** A package, and the other packages of the engine that it may use. */
  @ParameterizedTest
  @CsvSource({
    "balance,''",
    "reclaim,balance",
    "call,balance",
    "lease,''",
    "login,''",
    "commit,call lease",
    "format,commit call",
    "chunk,commit call login",
    "cluster,commit call reclaim balance login",
    "cut,cluster chunk format commit call",
  })
  void aPackageUsesOnlyThePackagesBelowIt(String name, String below) {
    String[] usable =
        Arrays.stream((name + " " + below).split(" ", -1))
            .map(each -> ROOT + "." + each)
            .toArray(String[]::new);
    noClasses()
        .that()
        .resideInAPackage(ROOT + "." + name)
        .should()
        .dependOnClassesThat(resideInAPackage(ROOT + "..").and(resideInAnyPackage(usable).negate()))
        .check(CLASSES);
  }

  @Test
  void noPackageHasTooManyTypes() {
    Map<String, Long> types =
        CLASSES.stream()
            .filter(JavaClass::isTopLevelClass)
            .collect(groupingBy(JavaClass::getPackageName, counting()));
    assertThat(types.keySet())
        .containsExactlyInAnyOrder(
            ROOT,
            ROOT + ".balance",
            ROOT + ".call",
            ROOT + ".chunk",
            ROOT + ".cluster",
            ROOT + ".commit",
            ROOT + ".cut",
            ROOT + ".format",
            ROOT + ".lease",
            ROOT + ".login",
            ROOT + ".reclaim");
    assertThat(types)
        .allSatisfy((name, count) -> assertThat(count).isLessThanOrEqualTo(TYPES_PER_PACKAGE_MAX));
  }
}
