package io.lazuli.storage.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.hbase.CallFailure.Meaning;
import io.lazuli.storage.hbase.RegionServers.Sign;
import java.io.IOException;
import java.net.ConnectException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.ipc.CallTimeoutException;
import org.apache.hadoop.hbase.ipc.FailedServerException;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a failed call tells about itself and about the server. */
class CallFailureTest {
  static Stream<Arguments> failures() {
    return Stream.of(
        Arguments.of(new ConnectException("refused"), Meaning.NOT_EXECUTED, Sign.GONE),
        Arguments.of(new FailedServerException("lately"), Meaning.NOT_EXECUTED, Sign.GONE),
        Arguments.of(new NotServingRegionException("moved"), Meaning.NOT_EXECUTED, Sign.ALIVE),
        Arguments.of(new AccessDeniedException("no"), Meaning.HOPELESS, Sign.ALIVE),
        Arguments.of(
            new DoNotRetryIOException("Requested row out of range"), Meaning.HOPELESS, Sign.ALIVE),
        Arguments.of(new CallTimeoutException("late"), Meaning.UNCLEAR, Sign.NONE),
        Arguments.of(new TimeoutException(), Meaning.UNCLEAR, Sign.NONE),
        Arguments.of(new IOException("closed"), Meaning.UNCLEAR, Sign.NONE));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void whatAFailureMeans(Throwable failure, Meaning meaning, Sign sign) {
    assertThat(CallFailure.of(failure).meaning()).isEqualTo(meaning);
    assertThat(CallFailure.sign(failure)).isEqualTo(sign);
  }

  @ParameterizedTest
  @MethodSource("failures")
  void whatTheLibraryWrapsMeansTheSame(Throwable failure, Meaning meaning, Sign sign) {
    IOException wrapped = new IOException("after 1 attempt", failure);
    assertThat(CallFailure.of(wrapped).meaning()).isEqualTo(meaning);
    assertThat(CallFailure.sign(wrapped)).isEqualTo(sign);
  }
}
