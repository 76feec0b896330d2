package io.lazuli.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.lazuli.server.blob.service.BlobOperation;
import io.lazuli.server.queue.service.QueueOperation;
import io.lazuli.server.settings.SettingsOperation;
import io.lazuli.server.settings.SettingsOutcome;
import io.lazuli.server.table.service.EntityWrite;
import io.lazuli.server.table.service.TableOperation;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Java 17 does not check that a chain of {@code instanceof} covers a sealed family, so this test
 * does: a new operation fails here until the class that executes it has a branch for it.
 */
class DispatchTest {
  static Stream<Arguments> families() {
    return Stream.of(
        Arguments.of(TableOperation.class, List.of("table.service.TableService")),
        Arguments.of(EntityWrite.class, List.of("table.service.PreparedTransaction")),
        Arguments.of(QueueOperation.class, List.of("queue.service.QueueService")),
        Arguments.of(
            BlobOperation.class, List.of("blob.service.BlobService", "blob.service.BlobUploads")),
        Arguments.of(SettingsOperation.class, List.of("settings.SettingsService")),
        Arguments.of(SettingsOutcome.class, List.of("settings.SettingsEndpoint")));
  }

  @ParameterizedTest
  @MethodSource("families")
  void everyMemberHasABranch(Class<?> family, List<String> dispatchers) {
    Set<String> branches =
        dispatchers.stream().flatMap(DispatchTest::branches).collect(Collectors.toSet());
    assertThat(branches).containsAll(members(family).map(Class::getName).toList());
  }

  @Test
  void aMissingBranchIsFound() {
    assertThat(branches("queue.service.QueueService"))
        .contains(QueueOperation.ListQueues.class.getName())
        .doesNotContain(TableOperation.FindTable.class.getName());
  }

  private static Stream<Class<?>> members(Class<?> family) {
    return family.isSealed()
        ? Arrays.stream(family.getPermittedSubclasses()).flatMap(DispatchTest::members)
        : Stream.of(family);
  }

  private static Stream<String> branches(String name) {
    String fullName = "io.lazuli.server." + name;
    JavaClass dispatcher = new ClassFileImporter().importPackagesOf(load(fullName)).get(fullName);
    return dispatcher.getInstanceofChecks().stream().map(check -> check.getRawType().getName());
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(name);
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }
}
