package io.lazuli.transfer;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Checks the dependencies between packages. */
class ArchitectureTest {
  private static final int PACKAGE_TYPES_MAX = 30;

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.lazuli.transfer");

  @Test
  void packagesHaveNoCycles() {
    slices().matching("io.lazuli.transfer.(*)").should().beFreeOfCycles().check(CLASSES);
  }

  /** Another library for Parquet, or none, would change one package. */
  @Test
  void onePackageKnowsParquet() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.lazuli.transfer.parquet")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.apache..", "blue..")
        .check(CLASSES);
  }

  @Test
  void packagesAreSmall() {
    Map<String, Integer> types = new TreeMap<>();
    for (JavaClass type : CLASSES) {
      if (type.isTopLevelClass()) {
        types.merge(type.getPackageName(), 1, Integer::sum);
      }
    }
    assertThat(types.values()).isNotEmpty().allMatch(count -> count <= PACKAGE_TYPES_MAX);
  }
}
