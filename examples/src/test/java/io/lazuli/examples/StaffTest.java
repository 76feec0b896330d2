package io.lazuli.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.data.tables.models.TableEntity;
import io.lazuli.server.junit.LazuliExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A test as a user of Lazuli would write it. */
class StaffTest {
  // snippet
  @RegisterExtension static final LazuliExtension LAZULI = new LazuliExtension();

  @Test
  void staffIsStored() {
    TableServiceClient client =
        new TableServiceClientBuilder().connectionString(LAZULI.connectionString()).buildClient();
    TableClient staff = client.createTableIfNotExists("Staff");
    staff.createEntity(new TableEntity("Sales", "00010").addProperty("LastName", "Kwok"));
    TableEntity found = staff.getEntity("Sales", "00010");
    assertThat(found.getProperty("LastName")).isEqualTo("Kwok");
  }
  // end
}
