package io.lazuli.examples;

// snippet
import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.data.tables.models.TableEntity;

/** Stores an entity and reads it back. */
public final class FirstProgram {
  public static void main(String[] args) {
    TableClient employees =
        new TableServiceClientBuilder()
            .connectionString(args.length == 0 ? "UseDevelopmentStorage=true" : args[0])
            .buildClient()
            .createTableIfNotExists("FirstEmployees");
    employees.upsertEntity(new TableEntity("Sales", "000123").addProperty("LastName", "Jones"));
    System.out.println(employees.getEntity("Sales", "000123").getProperty("LastName"));
  }
}
// end
