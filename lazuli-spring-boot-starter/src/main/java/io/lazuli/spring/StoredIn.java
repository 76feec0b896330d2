package io.lazuli.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names the table of an entity type. An application gets a bean {@code Table<T>} for each such type
 * in its packages:
 *
 * <pre>{@code
 * @StoredIn("Employees")
 * record Employee(@PartitionKey String department, @RowKey String id, String lastName) {}
 *
 * EmployeeService(Table<Employee> employees) { … }
 * }</pre>
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface StoredIn {
  /** The name of the table. Placeholders such as {@code ${tenant}Employees} are resolved. */
  String value();
}
