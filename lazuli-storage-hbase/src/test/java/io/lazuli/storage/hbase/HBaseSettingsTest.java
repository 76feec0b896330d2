package io.lazuli.storage.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.storage.Durability;
import io.lazuli.storage.EngineOpenException;
import io.lazuli.storage.hbase.balance.BalanceSettings;
import io.lazuli.storage.hbase.format.FormatSettings;
import io.lazuli.storage.hbase.reclaim.ReclaimSettings;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The keys of the engine's configuration file. */
class HBaseSettingsTest {
  private final Configuration site = new Configuration(false);

  @Test
  void theDefaults() {
    assertThat(HBaseSettings.of(site)).isEqualTo(HBaseSettings.DEFAULT);
    assertThat(HBaseSettings.DEFAULT.balance())
        .isEqualTo(
            new BalanceSettings(
                BalanceSettings.Mode.ON,
                Duration.ofSeconds(10),
                2_000,
                3,
                Duration.ofHours(1),
                Duration.ofMinutes(3),
                60,
                256L << 20,
                1));
  }

  @Test
  void theFolderOfChunksIsAnAddressInAFileSystemOfTheCluster() {
    assertThat(HBaseSettings.chunkFolder(site)).isNull();
    site.set("lazuli.chunk.folder", " hdfs://node:8020/lazuli ");
    assertThat(HBaseSettings.of(site)).isEqualTo(HBaseSettings.DEFAULT);
    assertThat(HBaseSettings.chunkFolder(site)).isEqualTo(URI.create("hdfs://node:8020/lazuli"));
    for (String wrong : List.of("/lazuli", "file:///lazuli", "hdfs:lazuli", "hdfs://a b/c")) {
      site.set("lazuli.chunk.folder", wrong);
      assertThatThrownBy(() -> HBaseSettings.chunkFolder(site))
          .as(wrong)
          .isInstanceOf(EngineOpenException.class)
          .hasMessageContaining("lazuli.chunk.folder: expected an address in HDFS");
    }
  }

  @Test
  void everyKeyIsRead() {
    site.set("lazuli.namespace", "n");
    site.set("lazuli.user", "u");
    site.set("lazuli.server.calls", "16");
    site.set("lazuli.server.queued", "17");
    site.set("lazuli.transactions", "1");
    site.set("lazuli.reclaim.after.seconds", "2");
    site.set("lazuli.reclaim.rows.per.second", "13");
    site.set("lazuli.reclaim.cut.rows", "14");
    site.set("lazuli.reclaim.cut.mib", "15");
    site.set("lazuli.read.silence.millis", "3");
    site.set("lazuli.lease.millis", "18");
    site.set("lazuli.chunk.grace.seconds", "4");
    site.set("lazuli.balance", "dry-run");
    site.set("lazuli.balance.round.seconds", "5");
    site.set("lazuli.balance.hot.requests.per.second", "6.5");
    site.set("lazuli.balance.hot.rounds", "7");
    site.set("lazuli.balance.cold.seconds", "8");
    site.set("lazuli.balance.rest.seconds", "9");
    site.set("lazuli.balance.operations.per.hour", "10");
    site.set("lazuli.balance.merge.mib.max", "11");
    site.set("lazuli.balance.ranges.min", "12");
    site.set("lazuli.format.max", "1");
    site.set("lazuli.format.lease.seconds", "19");
    site.set("lazuli.pushdown", "off");
    assertThat(HBaseSettings.of(site))
        .isEqualTo(
            new HBaseSettings(
                "n",
                "u",
                Durability.DISK,
                16,
                17,
                1,
                new ReclaimSettings(Duration.ofSeconds(2), 13, 14, 15L << 20),
                Duration.ofMillis(3),
                Duration.ofMillis(18),
                Duration.ofSeconds(4),
                new BalanceSettings(
                    BalanceSettings.Mode.DRY_RUN,
                    Duration.ofSeconds(5),
                    6.5,
                    7,
                    Duration.ofSeconds(8),
                    Duration.ofSeconds(9),
                    10,
                    11L << 20,
                    12),
                new FormatSettings(1, Duration.ofSeconds(19)),
                Pushdown.Mode.OFF));
  }

  @ParameterizedTest
  @CsvSource({
    "lazuli.balance,sometimes",
    "lazuli.balance.round.seconds,0",
    "lazuli.balance.round.seconds,soon",
    "lazuli.balance.hot.requests.per.second,0",
    "lazuli.balance.hot.rounds,0",
    "lazuli.balance.cold.seconds,0",
    "lazuli.balance.rest.seconds,-1",
    "lazuli.balance.operations.per.hour,-1",
    "lazuli.balance.merge.mib.max,-1",
    "lazuli.balance.ranges.min,0",
    "lazuli.reclaim.after.seconds,-1",
    "lazuli.reclaim.rows.per.second,0",
    "lazuli.reclaim.cut.rows,-1",
    "lazuli.reclaim.cut.mib,-1",
    "lazuli.format.max,0",
    "lazuli.format.lease.seconds,0",
    "lazuli.format.lease.seconds,86401",
    "lazuli.pushdown,sometimes",
  })
  void invalidSettingsAreRefusedAtTheStart(String key, String value) {
    site.set(key, value);
    assertThatThrownBy(() -> HBaseSettings.of(site))
        .isInstanceOf(EngineOpenException.class)
        .hasMessageMatching("(?s)lazuli\\.(balance|reclaim|format|pushdown): .*");
  }

  @ParameterizedTest
  @CsvSource({
    "lazuli.namespace,a b,'letters, digits and _'",
    "lazuli.server.calls,0,from 1 to 1000000",
    "lazuli.server.queued,-1,from 1 to 1000000",
    "lazuli.transactions,4294967297,from 1 to 1000000",
    "lazuli.transactions,many,a whole number",
    "lazuli.reclaim.after.seconds,soon,a whole number",
    "lazuli.reclaim.rows.per.second,fast,a whole number",
    "lazuli.read.silence.millis,0,at least 1",
    "lazuli.read.silence.millis,1.5,a whole number",
    "lazuli.lease.millis,-1,from 0 to 10000",
    "lazuli.lease.millis,10001,from 0 to 10000",
    "lazuli.lease.millis,brief,a whole number",
    "lazuli.chunk.grace.seconds,-1,at least 0",
    "lazuli.chunk.grace.seconds,later,a whole number",
  })
  void theMessageSaysWhatIsExpected(String key, String value, String expected) {
    site.set(key, value);
    assertThatThrownBy(() -> HBaseSettings.of(site))
        .isInstanceOf(EngineOpenException.class)
        .hasMessageStartingWith(key + ": expected " + expected + ", found ");
  }

  @Test
  void aMisspeltKeyIsRefused() {
    site.set("lazuli.read.silence.milis", "5000");
    assertThatThrownBy(() -> HBaseSettings.of(site))
        .isInstanceOf(EngineOpenException.class)
        .hasMessage("unknown setting lazuli.read.silence.milis");
  }

  @ParameterizedTest
  @CsvSource({"5000,7500,false", "5000,7499,true", "20000,29999,true", "20000,90000,false"})
  void aSessionTimeoutBelowTheSilenceCausesAWarning(
      String silence, String session, boolean warned) {
    site.set("lazuli.read.silence.millis", silence);
    site.set("zookeeper.session.timeout", session);
    assertThat(HBaseSettings.of(site).warning(site).isPresent()).isEqualTo(warned);
  }
}
