package com.example.staff;

import io.lazuli.client.query.Query;
import io.lazuli.client.table.Table;
import java.util.List;
import org.springframework.stereotype.Service;

/** The employees of each department. */
@Service
public class Offices {
  private final Table<Employee> employees;

  public Offices(Table<Employee> employees) {
    this.employees = employees;
  }

  public void hire(Employee employee) {
    employees.insert(employee);
  }

  public List<Employee> of(String department) {
    return employees.query(Query.partition(department)).toList();
  }
}
