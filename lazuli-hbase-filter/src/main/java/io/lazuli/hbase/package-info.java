/**
 * What HBase's region servers may load. It is compiled for Java 8. The package is not marked for
 * nullness, because Java 8 does not know all targets of the annotation; the build tells NullAway
 * its name.
 */
package io.lazuli.hbase;
