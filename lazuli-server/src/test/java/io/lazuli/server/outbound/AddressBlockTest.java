package io.lazuli.server.outbound;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressBlockTest {
  @ParameterizedTest
  @CsvSource({
    "10.0.0.0/8, 10.255.1.2, true",
    "10.0.0.0/8, 11.0.0.0, false",
    "10.1.2.3, 10.1.2.3, true",
    "10.1.2.3, 10.1.2.4, false",
    "192.168.4.0/22, 192.168.7.255, true",
    "192.168.4.0/22, 192.168.8.0, false",
    "192.168.128.0/17, 192.168.200.1, true",
    "192.168.128.0/17, 192.168.100.1, false",
    "0.0.0.0/0, 1.2.3.4, true",
    "0.0.0.0/0, ::1, false",
    "fd00::/8, fd12::1, true",
    "fd00::/8, fe80::1, false",
    "::1, ::1, true",
  })
  void aBlockContainsTheAddressesOfItsPrefix(String block, String address, boolean contained)
      throws UnknownHostException {
    assertThat(AddressBlock.parse(block).contains(InetAddress.getByName(address)))
        .isEqualTo(contained);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "localhost", "10", "10.0.0", "10.0.0.0.0", "256.0.0.1", "10.0.0.0/33", "10.0.0.0/",
        "10.0.0.0/-1", "10.0.0.0/x", "::1/129", "fe80", "1:2", ":", "10.0.0.1,", ",",
      })
  void anythingElseIsInvalid(String text) {
    assertThat(AddressBlock.parseList(text)).isNull();
  }

  @Test
  void aListIsShownAsItIsParsed() {
    List<AddressBlock> blocks = AddressBlock.parseList("10.0.0.0/8, 192.168.1.1,fd00::/8");
    assertThat(AddressBlock.list(blocks))
        .isEqualTo("10.0.0.0/8,192.168.1.1/32,fd00:0:0:0:0:0:0:0/8");
    assertThat(AddressBlock.parseList(AddressBlock.list(blocks))).isEqualTo(blocks);
  }
}
