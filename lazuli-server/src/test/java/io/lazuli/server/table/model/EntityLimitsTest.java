package io.lazuli.server.table.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.lazuli.server.error.ServiceError;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.table.model.EdmValue.BinaryValue;
import io.lazuli.server.table.model.EdmValue.Int32Value;
import io.lazuli.server.table.model.EdmValue.StringValue;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EntityLimitsTest {
  @Test
  void twoHundredFiftyTwoPropertiesFitAndOneMoreDoesNot() {
    accepted(() -> EntityLimits.checkNames(numbers(252)));
    refused(TableErrors.TOO_MANY_PROPERTIES, () -> EntityLimits.checkNames(numbers(253)));
  }

  @Test
  void namesEndAt255Units() {
    accepted(() -> EntityLimits.checkNames(named("a".repeat(255))));
    refused(
        TableErrors.PROPERTY_NAME_TOO_LONG, () -> EntityLimits.checkNames(named("a".repeat(256))));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "_a", "Größe", "日本", "a1", "_"})
  void identifiersAreNames(String name) {
    accepted(() -> EntityLimits.checkNames(named(name)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1a", "a-b", "a b", "a.b", "a@b", "a'b"})
  void nothingElseIsAName(String name) {
    refused(TableErrors.PROPERTY_NAME_INVALID, () -> EntityLimits.checkNames(named(name)));
  }

  @Test
  void valuesEndAt64KiB() {
    accepted(() -> EntityLimits.checkValues(value(new StringValue("x".repeat(32_768))), 32_780));
    accepted(() -> EntityLimits.checkValues(value(new BinaryValue(new byte[65_536])), 65_548));
    refused(
        TableErrors.PROPERTY_VALUE_TOO_LARGE,
        () -> EntityLimits.checkValues(value(new StringValue("x".repeat(32_769))), 32_781));
    refused(
        TableErrors.PROPERTY_VALUE_TOO_LARGE,
        () -> EntityLimits.checkValues(value(new BinaryValue(new byte[65_537])), 65_549));
  }

  @Test
  void keysEndAt1024UnitsAndMayBeEmpty() {
    accepted(() -> EntityLimits.checkBodyKey("RowKey", ""));
    accepted(() -> EntityLimits.checkBodyKey("RowKey", "k".repeat(1024)));
    refused(
        TableErrors.PROPERTY_VALUE_TOO_LARGE,
        () -> EntityLimits.checkBodyKey("RowKey", "k".repeat(1025)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a/b", "a\\b", "a#b", "a?b", "\u0000", "\u001f", "\u007f", "\u009f"})
  void forbiddenCharactersInABodyAreOutOfRangeByName(String key) {
    ServiceException refusal =
        refused(
            TableErrors.VALUE_OUT_OF_RANGE, () -> EntityLimits.checkBodyKey("PartitionKey", key));
    assertThat(refusal.text())
        .isEqualTo("The 'PartitionKey' parameter of value '" + key + "' is out of range.");
  }

  @Test
  void forbiddenCharactersInAPathHaveTwoAnswers() {
    refused(TableErrors.INVALID_PATH, () -> EntityLimits.checkPathKey("a/b"));
    refused(TableErrors.INVALID_PATH, () -> EntityLimits.checkPathKey("a\\b"));
    refused(TableErrors.OUT_OF_RANGE, () -> EntityLimits.checkPathKey("a#b"));
    refused(TableErrors.OUT_OF_RANGE, () -> EntityLimits.checkPathKey("a\u0001b"));
  }

  @Test
  void unpairedSurrogatesCannotBeKeys() {
    accepted(() -> EntityLimits.checkPathKey("\ud83d\ude00"));
    refused(TableErrors.INVALID_INPUT, () -> EntityLimits.checkPathKey("\ud83d"));
    refused(TableErrors.INVALID_INPUT, () -> EntityLimits.checkPathKey("\ude00\ud83d"));
  }

  private static List<Property> numbers(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> new Property("p" + i, new Int32Value(i)))
        .toList();
  }

  private static List<Property> named(String name) {
    return Collections.singletonList(new Property(name, new Int32Value(1)));
  }

  private static List<Property> value(EdmValue value) {
    return List.of(new Property("p", value));
  }

  private static void accepted(ThrowingCallable call) {
    assertThatCode(call).doesNotThrowAnyException();
  }

  private static ServiceException refused(ServiceError error, ThrowingCallable call) {
    ServiceException refusal = catchThrowableOfType(ServiceException.class, call);
    assertThat(refusal.error()).isEqualTo(error);
    return refusal;
  }
}
