package io.lazuli.storage.hbase.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The abilities of HBase's versions. */
class RegionAdminTest {
  @ParameterizedTest
  @CsvSource({
    "2.4.18,false",
    "2.5.13-hadoop3,false",
    "2.6.0,true",
    "2.6.4-hadoop3,true",
    "2.10.1,true",
    "3.0.0-beta-1,true",
    "1.9.9,false",
    "unknown,false",
  })
  void regionsAreTruncatedSince26(String version, boolean truncates) {
    assertThat(RegionAdmin.canTruncate(version)).isEqualTo(truncates);
  }
}
