package io.lazuli.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class TestAccountTest {
  @RegisterExtension static final TestAccount ACCOUNT = new TestAccount();

  @Test
  void allThreeServicesRespond() {
    String name = TestAccount.uniqueName("made");
    assertThat(ACCOUNT.tables().createTable(name).block()).isNotNull();
    assertThat(ACCOUNT.queues().createQueue(name).block()).isNotNull();
    assertThat(ACCOUNT.blobs().createBlobContainer(name).block()).isNotNull();
  }

  @Test
  void aSecondRunOfAClassAtTheSameTimeIsRefused() {
    SuiteRun second = SuiteRun.of(List.of(selectClass(getClass())), Map.of(), List.of("long"));
    assertThat(second.failures()).singleElement().asString().contains("another run uses");
  }
}
