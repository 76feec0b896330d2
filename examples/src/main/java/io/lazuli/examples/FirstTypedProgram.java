package io.lazuli.examples;

import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableServiceClientBuilder;
import io.lazuli.client.entity.PartitionKey;
import io.lazuli.client.entity.RowKey;
import io.lazuli.client.query.Query;
import io.lazuli.client.table.Table;

/** Stores an employee and reads the department. */
public final class FirstTypedProgram {
  /** A department is a partition. */
  record Employee(@PartitionKey String department, @RowKey String id, String lastName, int age) {}

  public static void main(String[] args) {
    TableClient client =
        new TableServiceClientBuilder()
            .connectionString(args.length == 0 ? "UseDevelopmentStorage=true" : args[0])
            .buildClient()
            .createTableIfNotExists("FirstTypedEmployees");
    Table<Employee> employees = Table.of(client, Employee.class);
    employees.upsertReplace(new Employee("Sales", "000123", "Jones", 30));
    employees.query(Query.partition("Sales")).forEach(System.out::println);
  }
}
