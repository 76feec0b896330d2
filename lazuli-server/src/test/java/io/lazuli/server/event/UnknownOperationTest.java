package io.lazuli.server.event;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnknownOperationTest {
  @ParameterizedTest
  @CsvSource({"HEAD,READ", "GET,READ", "OPTIONS,READ", "POST,WRITE", "DELETE,DELETE"})
  void theVerbTellsTheKind(String method, OperationKind kind) {
    assertThat(UnknownOperation.of(method).kind()).isEqualTo(kind);
    assertThat(UnknownOperation.of(method).documentedName()).isEqualTo("Unknown");
  }
}
