package io.lazuli.client.halt;

import io.lazuli.client.fault.TestClient;
import java.nio.file.Path;

/**
 * The tables, queues, container and folder of one run, which all its processes use.
 *
 * @param name the beginning of all names
 * @param folder for files, and for the journals of the processes
 */
record World(String name, Path folder) {
  /** Creates everything in an account. */
  void create(TestClient live) {
    live.tables().createTable(table()).block();
    live.tables().createTable(secondTable()).block();
    live.queues().createQueue(queue()).block();
    live.queues().createQueue(poison()).block();
    live.blobs().createBlobContainer(container()).block();
  }

  String table() {
    return name + "a";
  }

  String secondTable() {
    return name + "b";
  }

  String queue() {
    return name + "q";
  }

  String poison() {
    return name + "p";
  }

  String container() {
    return name + "c";
  }

  /** Returns the file of a process. */
  Path journal(int process) {
    return folder.resolve("journal" + process);
  }
}
