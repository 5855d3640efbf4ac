package dev.postrider.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import java.time.Clock;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Imports point in one direction: down inside the core, towards the core between modules. */
class DirectionTest {
    private static final DescribedPredicate<JavaClass> CORE = resideInAnyPackage(
            "dev.postrider",
            "dev.postrider.message..",
            "dev.postrider.spi..",
            "dev.postrider.relay..",
            "dev.postrider.maintenance..",
            "dev.postrider.source..",
            "dev.postrider.internal..");
    private static final DescribedPredicate<JavaClass> OUR_CODE = resideInAPackage("dev.postrider..");

    @Test
    void packagesHaveNoCycles() {
        slices().matching("dev.postrider.(**)").should().beFreeOfCycles().check(OurClasses.ALL);
    }

    @Test
    void messageAndInternalImportNothingOfOurs() {
        mayUseOfOurs("dev.postrider.message..", "dev.postrider.internal..");
        mayUseOfOurs("dev.postrider.internal..");
    }

    @Test
    void spiSpeaksOfMessagesOnly() {
        mayUseOfOurs("dev.postrider.spi..", "dev.postrider.message..", "dev.postrider.internal..");
    }

    @Test
    void relayKnowsPortsAndMessages() {
        mayUseOfOurs(
                "dev.postrider.relay..", "dev.postrider.spi..", "dev.postrider.message..", "dev.postrider.internal..");
    }

    @Test
    void maintenanceKnowsPortsAndMessages() {
        mayUseOfOurs(
                "dev.postrider.maintenance..",
                "dev.postrider.spi..",
                "dev.postrider.message..",
                "dev.postrider.internal..");
    }

    @Test
    void sourceKnowsPortsAndMessages() {
        mayUseOfOurs(
                "dev.postrider.source..", "dev.postrider.spi..", "dev.postrider.message..", "dev.postrider.internal..");
    }

    @Test
    void coreKnowsNoOtherModuleAndOfLibrariesOnlySlf4j() {
        classes()
                .that(CORE)
                .should()
                .onlyDependOnClassesThat(
                        CORE.or(resideInAnyPackage("java..", "javax.sql..", "org.slf4j..", "org.jspecify..")))
                .check(OurClasses.ALL);
    }

    @Test
    void sharedJdbcPiecesKnowTheCoreOnly() {
        mayUse("dev.postrider.store.jdbc..", CORE);
    }

    @Test
    void storesKnowTheCoreAndTheSharedJdbcPiecesOnly() {
        DescribedPredicate<JavaClass> below = CORE.or(resideInAPackage("dev.postrider.store.jdbc.."));
        mayUse("dev.postrider.store.postgres..", below);
        mayUse("dev.postrider.store.mysql..", below);
        mayUse("dev.postrider.store.h2..", below);
        mayUse("dev.postrider.store.existing..", below);
    }

    @Test
    void destinationsKnowTheCoreOnly() {
        mayUse("dev.postrider.destination.memory..", CORE);
        mayUse("dev.postrider.destination.kafka..", CORE);
        mayUse("dev.postrider.destination.rabbitmq..", CORE);
        mayUse("dev.postrider.destination.nats..", CORE);
    }

    @Test
    void testkitKnowsTheCoreAndTheServersItCutsOff() {
        mayUse("dev.postrider.testkit..", CORE.or(resideInAPackage("dev.postrider.servers..")));
        mayUseOfOurs("dev.postrider.servers..");
    }

    @Test
    void metricsKnowTheCoreAndTheBusOnly() {
        mayUse("dev.postrider.micrometer..", CORE.or(resideInAPackage("dev.postrider.bus..")));
    }

    @Test
    void tracesKnowTheCoreOnly() {
        mayUse("dev.postrider.opentelemetry..", CORE);
    }

    @Test
    void busAndCodecsKnowTheCoreOnly() {
        mayUse("dev.postrider.bus..", CORE);
        mayUse("dev.postrider.codec..", CORE);
    }

    @Test
    void springKnowsTheCoreAndTheBusOnly() {
        DescribedPredicate<JavaClass> below = CORE.or(resideInAPackage("dev.postrider.bus.."));
        mayUse("dev.postrider.spring", below);
        mayUse("dev.postrider.spring.modulith..", below.or(resideInAPackage("dev.postrider.spring")));
    }

    @Test
    void onlyTestsAndApplicationsKnowTheStarter() {
        noClasses()
                .that(OUR_CODE.and(DescribedPredicate.not(resideInAPackage("dev.postrider.spring.boot.."))))
                .should()
                .dependOnClassesThat(resideInAPackage("dev.postrider.spring.boot.."))
                .check(OurClasses.ALL);
    }

    @Test
    void codeGeneratorKnowsNothingOfOurs() {
        mayUseOfOurs("dev.postrider.codegen..");
    }

    @Test
    void onlyTheCommandLineAndTheStarterKnowTheConsole() {
        noClasses()
                .that(OUR_CODE.and(DescribedPredicate.not(resideInAnyPackage(
                        "dev.postrider.console..", "dev.postrider.cli..", "dev.postrider.spring.boot.."))))
                .should()
                .dependOnClassesThat(resideInAPackage("dev.postrider.console.."))
                .check(OurClasses.ALL);
    }

    @Test
    void nobodyBelowKnowsTheCommandLine() {
        noClasses()
                .that(OUR_CODE.and(DescribedPredicate.not(resideInAPackage("dev.postrider.cli.."))))
                .should()
                .dependOnClassesThat(resideInAPackage("dev.postrider.cli.."))
                .check(OurClasses.ALL);
    }

    private static void mayUseOfOurs(String from, String... to) {
        mayUse(from, resideInAnyPackage(to));
    }

    private static void mayUse(String from, DescribedPredicate<JavaClass> to) {
        noClasses()
                .that(resideInAPackage(from))
                .should()
                .dependOnClassesThat(
                        OUR_CODE.and(DescribedPredicate.not(to)).and(DescribedPredicate.not(resideInAPackage(from))))
                .allowEmptyShould(true)
                .check(OurClasses.ALL);
    }

    /** Leases, due times and time-outs go by the database's clock or by the monotonic one: a wall clock may be wrong, or jump. */
    @Test
    void relayAndStoresDoNotLookAtTheWallClock() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "dev.postrider.relay..",
                        "dev.postrider.spi..",
                        "dev.postrider.maintenance..",
                        "dev.postrider.store.jdbc..",
                        "dev.postrider.store.postgres..",
                        "dev.postrider.store.mysql..",
                        "dev.postrider.store.h2..")
                .should()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(Instant.class, "now")
                .orShould()
                .callMethod(Clock.class, "systemUTC")
                .orShould()
                .callMethod(Clock.class, "systemDefaultZone")
                .check(OurClasses.ALL);
    }
}
