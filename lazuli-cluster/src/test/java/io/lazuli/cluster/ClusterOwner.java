package io.lazuli.cluster;

import java.io.IOException;

/**
 * A program that starts the smallest cluster, prints a line about it, and waits to be killed. With
 * the argument {@code pause} it pauses the cluster's process first.
 */
final class ClusterOwner {
  private ClusterOwner() {}

  public static void main(String[] arguments) throws IOException {
    Cluster cluster = Cluster.start(ClusterSpec.inOneProcess());
    System.out.println(
        String.join(
            " ",
            String.valueOf(cluster.master().pid()),
            cluster.clientConfig().toString(),
            cluster.master().serverName().orElse("none"),
            String.valueOf(cluster.regions().size())));
    System.in.read();
    cluster.master().pause();
    System.out.println("paused");
    System.in.read();
  }
}
