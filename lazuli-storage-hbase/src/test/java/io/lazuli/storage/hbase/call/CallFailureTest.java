package io.lazuli.storage.hbase.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.hbase.call.CallFailure.Meaning;
import java.io.IOException;
import java.net.ConnectException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.CallDroppedException;
import org.apache.hadoop.hbase.CallQueueTooBigException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.ipc.CallTimeoutException;
import org.apache.hadoop.hbase.ipc.FailedServerException;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The meaning of failed calls. A wrong NOT_EXECUTED would carry out a write twice. */
class CallFailureTest {
  static Stream<Arguments> failures() {
    return Stream.of(
        Arguments.of(new ConnectException("refused"), Meaning.NOT_EXECUTED),
        Arguments.of(new FailedServerException("lately"), Meaning.NOT_EXECUTED),
        Arguments.of(new NotServingRegionException("moved"), Meaning.NOT_EXECUTED),
        Arguments.of(new AccessDeniedException("no"), Meaning.PERMANENT),
        Arguments.of(new DoNotRetryIOException("Requested row out of range"), Meaning.PERMANENT),
        Arguments.of(new CallTimeoutException("late"), Meaning.UNCLEAR),
        Arguments.of(new TimeoutException(), Meaning.UNCLEAR),
        Arguments.of(new IOException("closed"), Meaning.UNCLEAR));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void aFailureHasAMeaning(Throwable failure, Meaning meaning) {
    assertThat(CallFailure.of(failure).meaning()).isEqualTo(meaning);
  }

  @ParameterizedTest
  @MethodSource("failures")
  void aWrappedFailureHasTheSameMeaning(Throwable failure, Meaning meaning) {
    IOException wrapped = new IOException("after 1 attempt", failure);
    assertThat(CallFailure.of(wrapped).meaning()).isEqualTo(meaning);
  }

  @Test
  void aRegionThatAcceptedNoCallDidNothing() {
    assertThat(meaning(new NotServingRegionException("moved"))).isEqualTo(Meaning.NOT_EXECUTED);
    assertThat(meaning(new RegionTooBusyException("full"))).isEqualTo(Meaning.BUSY);
    assertThat(meaning(new CallQueueTooBigException("full"))).isEqualTo(Meaning.BUSY);
    assertThat(meaning(new CallDroppedException("old"))).isEqualTo(Meaning.BUSY);
    assertThat(meaning(new ConnectException("refused"))).isEqualTo(Meaning.NOT_EXECUTED);
  }

  @Test
  void anUnknownFailureIsUnclear() {
    assertThat(meaning(new CallTimeoutException("late"))).isEqualTo(Meaning.UNCLEAR);
    assertThat(meaning(new TimeoutException())).isEqualTo(Meaning.UNCLEAR);
    assertThat(meaning(new IOException("connection reset"))).isEqualTo(Meaning.UNCLEAR);
    assertThat(meaning(new DoNotRetryIOException("anything"))).isEqualTo(Meaning.UNCLEAR);
    assertThat(new CallFailure("the region has moved").meaning()).isEqualTo(Meaning.UNCLEAR);
  }

  @Test
  void aFailureThatWouldRepeatIsPermanent() {
    assertThat(meaning(new AccessDeniedException("no"))).isEqualTo(Meaning.PERMANENT);
    assertThat(meaning(new DoNotRetryIOException("row is out of range")))
        .isEqualTo(Meaning.PERMANENT);
  }

  @Test
  void theReasonIsFoundInsideOtherExceptions() {
    IOException wrapped = new IOException("outer", new NotServingRegionException("moved\nmore"));
    CallFailure failure = CallFailure.of(wrapped);
    assertThat(failure.meaning()).isEqualTo(Meaning.NOT_EXECUTED);
    assertThat(failure).hasMessage("NotServingRegionException: moved");
  }

  @Test
  void aFailureBeforeTheCallWasSentDidNothing() {
    assertThat(CallFailure.of(new TimeoutException()).beforeTheCall().meaning())
        .isEqualTo(Meaning.NOT_EXECUTED);
    assertThat(CallFailure.of(new AccessDeniedException("no")).beforeTheCall().meaning())
        .isEqualTo(Meaning.PERMANENT);
  }

  private static Meaning meaning(Throwable failure) {
    return CallFailure.of(failure).meaning();
  }
}
